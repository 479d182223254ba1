// How glibc's allocator is set, as Swift sees it; elsewhere there is nothing to set.
#pragma once
#ifdef __linux__
#include <malloc.h>
#endif
