// SPDX-License-Identifier: Apache-2.0

import subledger

/// The program: the jobs, linked with the Swift runtime in it, so that it runs where no Swift is.
@main
struct Program {
    static func main() async { await Subledger.main() }
}
