// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One folder of SQL files, as a Swift namespace.
struct Folder {
    private static let opening = "##\"\"\""
    private static let closing = "\"\"\"##"

    private let statements: [(name: String, path: String, text: String)]
    private let folders: [(name: String, folder: Folder)]

    init(at url: URL, path: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        let lists = try names.filter { $0.hasSuffix(".columns") }.map { name in
            ColumnList(name: String(name.dropLast(8)), text: try Self.text(of: url.appendingPathComponent(name)))
        }
        self.statements = try names.filter { $0.hasSuffix(".sql") }.flatMap { name in
            let written = try Self.text(of: url.appendingPathComponent(name))
            let text = try lists.reduce(written) { try $1.writtenOut(in: $0) }
            guard !text.contains(Self.closing) else {
                throw EmbedError(message: "\(path)\(name) holds \(Self.closing)")
            }
            return Self.statements(in: text, path: path + name, file: String(name.dropLast(4)))
        }
        self.folders = try names.compactMap { name in
            let child = url.appendingPathComponent(name, isDirectory: true)
            guard (try? child.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { return nil }
            return (Self.identifier(name, capital: true), try Folder(at: child, path: "\(path)\(name)/"))
        }
    }

    private static func text(of url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

    /// One statement, or those that follow a line `-- name: …` each; what stands before the first is about the file.
    private static func statements(in text: String, path: String, file: String) -> [(String, String, String)] {
        let parts = text.components(separatedBy: "\n-- name: ")
        guard parts.count > 1 else { return [(identifier(file, capital: false), path, text)] }
        return parts.dropFirst().map { part in
            let name = String(part.prefix { $0 != "\n" })
            return (identifier(name, capital: false), "\(path) \(name)", String(part.dropFirst(name.count + 1)))
        }
    }

    /// The Swift text of this folder, its own statements first, then its folders.
    func swift(named name: String, indent: String) -> String {
        let inner = indent + "    "
        let members = statements.map { inner + Self.declaration($0) }
        let nested = folders.map { $0.folder.swift(named: $0.name, indent: inner) }
        let all = (statements.map { "[\($0.name)]" } + folders.map { "\($0.name).all" }).joined(separator: " + ")
        let list = inner + "package static let all: [Statement] = " + (all.isEmpty ? "[]" : all)
        return (["\(indent)package enum \(name) {"] + members + nested + [list, "\(indent)}"]).joined(separator: "\n")
    }

    private static func declaration(_ statement: (name: String, path: String, text: String)) -> String {
        let literal = "\(opening)\n\(statement.text)\n\(closing)"
        return "package static let \(statement.name) = Statement(name: \"\(statement.path)\", text: \(literal))"
    }

    /// `lock_chunk` → `lockChunk` or `LockChunk`; a leading digit gets an underscore, so that names never collide.
    private static func identifier(_ name: String, capital: Bool) -> String {
        let words = name.split(whereSeparator: { $0 == "_" || $0 == "-" }).map(String.init)
        let joined = words.enumerated().map { index, word in
            index == 0 && !capital ? word : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
        return joined.first?.isNumber == true ? "_" + joined : joined
    }
}
