// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Turns sql/**.sql into one Swift file of typed names: `sql/load/lock_chunk.sql` becomes `SQL.Load.lockChunk`.
///
/// A file of small statements about one table names each in a line `-- name: renew_run`, which becomes `SQL.Pipeline.renewRun`.
/// Each folder is a namespace, and `all` lists everything below it in the order of its paths. What a page is made of stands beside
/// it as documents. Run by the build plugin as `EmbedSQL <folder> <name> <imported targets> <output file>`.
@main
struct EmbedSQL {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5 else {
            throw EmbedError(message: "usage: EmbedSQL <folder> <name> <imported targets> <output file>")
        }
        let folder = try Folder(at: URL(fileURLWithPath: arguments[1], isDirectory: true), path: "")
        let imports = arguments[3].split(separator: ",").map { "package import \($0)\n" }.joined()
        let text = imports + "\n" + folder.swift(named: arguments[2], indent: "") + "\n"
        try text.write(toFile: arguments[4], atomically: true, encoding: .utf8)
    }
}

/// Why no catalogue could be made.
struct EmbedError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
