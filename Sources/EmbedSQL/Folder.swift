// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One folder of SQL files, and of documents beside them, as a Swift namespace.
struct Folder {
    /// What is embedded as it stands: what a page is made of, and what it says of a report.
    private static let documentKinds = ["json", "html", "css", "js"]
    private static let opening = "##\"\"\""
    private static let closing = "\"\"\"##"

    private let statements: [(name: String, path: String, text: String)]
    private let documents: [(name: String, path: String, text: String)]
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
        self.documents = try names.compactMap { name in
            let parts = name.split(separator: ".")
            guard parts.count == 2, Self.documentKinds.contains(String(parts[1])) else { return nil }
            let text = try Self.text(of: url.appendingPathComponent(name))
            guard !text.contains(Self.closing) else {
                throw EmbedError(message: "\(path)\(name) holds \(Self.closing)")
            }
            return (Self.identifier(String(parts[0]), capital: false), path + name, text)
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

    /// The Swift text of this folder, its own statements first, then its documents and its folders.
    func swift(named name: String, indent: String) -> String {
        let inner = indent + "    "
        let members =
            statements.map { inner + Self.declaration($0, as: "Statement") }
            + documents.map { inner + Self.declaration($0, as: "Document") }
        let nested = folders.map { $0.folder.swift(named: $0.name, indent: inner) }
        // A folder that is empty until it is needed has an empty list.
        let lists =
            (isEmpty ? ["package static let all: [Statement] = []"] : [])
            + (containsStatements
                ? [list("all", of: "Statement", statements.map(\.name)) { $0.containsStatements }] : [])
            + (containsDocuments
                ? [list("documents", of: "Document", documents.map(\.name)) { $0.containsDocuments }] : [])
        return (["\(indent)package enum \(name) {"] + members + nested + lists.map { inner + $0 } + ["\(indent)}"])
            .joined(separator: "\n")
    }

    private var isEmpty: Bool { statements.isEmpty && documents.isEmpty && folders.isEmpty }
    private var containsStatements: Bool { !statements.isEmpty || folders.contains { $0.folder.containsStatements } }
    private var containsDocuments: Bool { !documents.isEmpty || folders.contains { $0.folder.containsDocuments } }

    /// Everything of a kind below this folder, in the order of the paths.
    private func list(
        _ name: String, of kind: String, _ own: [String], inFoldersWhere contains: (Folder) -> Bool
    ) -> String {
        let below = folders.filter { contains($0.folder) }.map { "\($0.name).\(name)" }
        let all = ((own.isEmpty ? [] : ["[" + own.joined(separator: ", ") + "]"]) + below).joined(separator: " + ")
        return "package static let \(name): [\(kind)] = \(all)"
    }

    private static func declaration(
        _ text: (name: String, path: String, text: String), as kind: String
    ) -> String {
        let literal = "\(opening)\n\(text.text)\n\(closing)"
        return "package static let \(text.name) = \(kind)(name: \"\(text.path)\", text: \(literal))"
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
