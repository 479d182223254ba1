// SPDX-License-Identifier: Apache-2.0

import CMalloc
import subledger

/// The program: the jobs, linked with the Swift runtime in it, so that it runs where no Swift is.
@main
struct Program {
    static func main() async {
        limitMemoryArenas()
        await Subledger.main()
    }

    /// Two heaps for all threads: left to itself glibc makes one for nearly each, and what was freed in one is of no use to the
    /// others. A first night of 1,000,000 grew to 206 MB with them.
    private static func limitMemoryArenas() {
        #if os(Linux)
            _ = mallopt(M_ARENA_MAX, 2)
        #endif
    }
}
