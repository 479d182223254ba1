// SPDX-License-Identifier: Apache-2.0

import CProcess
import subledger

/// The program: the jobs, linked with the Swift runtime in it, so that it runs where no Swift is.
@main
struct Program {
    static func main() async {
        #if os(Linux)
            forbidDumps()
            limitMemoryArenas()
        #endif
        await Subledger.main(commit: Commit.name)
    }

    #if os(Linux)
        /// Its memory holds keys and tokens: no core file is written of it, and no other process of its account may
        /// attach to it or read its memory and environment; root may.
        ///
        /// What it starts, the private PostgreSQL, is as any program, but writes no core file either. Neither call can
        /// fail but under a filter of system calls, which is no reason to miss a night.
        private static func forbidDumps() {
            _ = subledger_forbid_dumps()
            _ = subledger_forbid_cores()
        }

        /// Two heaps for all threads: left to itself glibc makes one for nearly each, and what was freed in one is of
        /// no use to the others.
        ///
        /// A first night of 1,000,000 grew to 206 MB with them.
        private static func limitMemoryArenas() {
            _ = mallopt(M_ARENA_MAX, 2)
        }
    #endif
}
