// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLTemplates

/// A folder of SQL as a Swift namespace: a statement for each file, or for each that a file names, and a namespace for each
/// folder.
struct SwiftNamespace {
    private static let opening = "##\"\"\""
    private static let closing = "\"\"\"##"

    private let name: String
    private let statements: [(name: String, path: String, text: String)]
    private let documents: [(name: String, path: String, text: String)]
    private let folders: [SwiftNamespace]

    init(of folder: SQLFolder, named name: String) throws {
        self.name = name
        statements = try folder.files.flatMap { file in try Self.statements(in: try Self.embeddable(file)) }
        documents = try folder.documents.map { file in
            (Self.identifier(file.name, capital: false), file.path, try Self.embeddable(file).text)
        }
        folders = try folder.folders.map { name, folder in
            try SwiftNamespace(of: folder, named: Self.identifier(name, capital: true))
        }
    }

    private static func embeddable(_ file: SQLFolder.File) throws -> SQLFolder.File {
        guard file.text.contains(closing) else { return file }
        throw TemplateError(path: file.path, message: "\(closing) ends what it is embedded in")
    }

    /// One statement, or those that follow a line `-- name: …` each; what is before the first is about the file.
    private static func statements(in file: SQLFolder.File) throws -> [(String, String, String)] {
        let parts = file.text.components(separatedBy: "\n-- name: ")
        guard parts.count > 1 else { return [(identifier(file.name, capital: false), file.path, file.text)] }
        return parts.dropFirst().map { part in
            let name = String(part.prefix { $0 != "\n" })
            return (identifier(name, capital: false), "\(file.path) \(name)", String(part.dropFirst(name.count + 1)))
        }
    }

    /// The Swift text, its own statements first, then its documents and its folders, then `members`.
    func swift(indent: String = "", members: [String] = []) -> String {
        let inner = indent + "    "
        let own =
            statements.map { inner + Self.declaration($0, as: "Statement") }
            + documents.map { inner + Self.declaration($0, as: "Document") }
        let nested = folders.map { $0.swift(indent: inner) }
        return
            (["\(indent)package enum \(name) {"] + own + nested + (lists + members).map { inner + $0 } + ["\(indent)}"])
            .joined(separator: "\n")
    }

    /// Everything below it.
    ///
    /// A folder that is empty until it is needed has an empty list.
    private var lists: [String] {
        (isEmpty ? ["package static let all: [Statement] = []"] : [])
            + (containsStatements
                ? [list("all", of: "Statement", statements.map(\.name)) { $0.containsStatements }] : [])
            + (containsDocuments
                ? [list("documents", of: "Document", documents.map(\.name)) { $0.containsDocuments }] : [])
    }

    private var isEmpty: Bool { statements.isEmpty && documents.isEmpty && folders.isEmpty }
    private var containsStatements: Bool { !statements.isEmpty || folders.contains { $0.containsStatements } }
    private var containsDocuments: Bool { !documents.isEmpty || folders.contains { $0.containsDocuments } }

    /// Everything of a kind below this folder, in the order of the paths.
    private func list(
        _ name: String, of kind: String, _ own: [String], inFoldersWhere contains: (SwiftNamespace) -> Bool
    ) -> String {
        let below = folders.filter(contains).map { "\($0.name).\(name)" }
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
