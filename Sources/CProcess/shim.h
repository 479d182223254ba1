// What a process on Linux may say of itself, as Swift sees it; elsewhere there is nothing to say.
#pragma once
#ifdef __linux__
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// Swift calls no function with a variable number of arguments.
static inline int subledger_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }
// Which resource it is has a type of its own in glibc.
static inline int subledger_forbid_cores(void) {
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none);
}
#endif
