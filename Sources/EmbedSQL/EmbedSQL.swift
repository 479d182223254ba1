// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLTemplates

/// Turns sql/**.sql into one Swift file of typed names: `sql/load/lock_chunk.sql` becomes `SQL.Load.lockChunk`.
///
/// A file of small statements about one table names each in a line `-- name: renew_run`, which becomes `SQL.Pipeline.renewRun`.
/// Each folder is a namespace, and `all` lists everything below it in the order of its paths. What a page is made of is beside
/// it as documents. Templates are written out (`SQLTemplates`), and what the files say at their heads is in `heads`.
///
/// Run by the build plugin as `EmbedSQL <folder> <name> <imported targets> <output file>`, and by `scripts/expand-sql` as
/// `EmbedSQL expand <folder> [<path>…]`, which prints the plain SQL of the files whose paths begin so. `EmbedSQL rules <file>
/// <output file>` makes the constants of `sql/rules.txt`, `EmbedSQL commit <log of HEAD> <output file>` that of the commit.
@main
struct EmbedSQL {
    static func main() {
        do {
            try run(CommandLine.arguments.dropFirst())
        } catch {
            // As the build prints it: one line that says where.
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: ArraySlice<String>) throws {
        if arguments.first == "expand", arguments.count >= 2 {
            return try expand(Array(arguments.dropFirst(2)), below: arguments[2])
        }
        if arguments.first == "rules", arguments.count == 3 {
            return try SwiftRules(at: arguments[2]).text.write(toFile: arguments[3], atomically: true, encoding: .utf8)
        }
        if arguments.first == "commit", arguments.count == 3 {
            let text = SwiftCommit(log: arguments[2]).text
            return try text.write(toFile: arguments[3], atomically: true, encoding: .utf8)
        }
        guard arguments.count == 4 else {
            throw TemplateError(
                path: "EmbedSQL",
                message: "usage: <folder> <name> <imported targets> <output file>, or: expand <folder> [<path>…], or: "
                    + "rules <file> <output file>, or: commit <log of HEAD> <output file>")
        }
        try embed(arguments[1], named: arguments[2], importing: arguments[3], into: arguments[4])
    }

    private static func embed(
        _ folder: String, named name: String, importing targets: String, into output: String
    ) throws {
        let folder = try SQLFolder(at: URL(fileURLWithPath: folder, isDirectory: true))
        let namespace = try SwiftNamespace(of: folder, named: name)
        let imports = targets.split(separator: ",").map { "package import \($0)\n" }.joined()
        let text = imports + "\n" + namespace.swift(members: heads(of: folder)) + "\n"
        try text.write(toFile: output, atomically: true, encoding: .utf8)
    }

    /// What the files say of themselves, by path and word.
    private static func heads(of folder: SQLFolder) -> [String] {
        let heads = folder.allFiles.map { ($0.path, FileHead(of: $0.text).lists) }.filter { !$0.1.isEmpty }
        guard !heads.isEmpty else { return [] }
        let lines = heads.map { path, lists in
            let words = lists.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
            return "    \"\(path)\": [\(words.joined(separator: ", "))],"
        }
        return ["package static let heads: [String: [String: [String]]] = ["] + lines + ["]"]
    }

    /// What a person reads.
    private static func expand(_ paths: [String], below folder: String) throws {
        let files = try SQLFolder(at: URL(fileURLWithPath: folder, isDirectory: true)).allFiles
        let wanted = files.filter { file in paths.isEmpty || paths.contains { file.path.hasPrefix($0) } }
        guard !wanted.isEmpty else {
            throw TemplateError(
                path: folder, message: "no SQL file's path begins with \(paths.joined(separator: " or "))")
        }
        for file in wanted {
            FileHandle.standardOutput.write(Data("-- \(file.path)\n\(file.text)\n".utf8))
        }
    }
}
