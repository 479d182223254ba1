// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// One folder of SQL files, written out, and of documents beside them.
package struct SQLFolder {
    /// A file by its path below the folder of all SQL.
    package struct File: Equatable, Sendable {
        package let path: String
        package let text: String

        /// The last part of the path, without its ending.
        package var name: String { String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "") }
    }

    /// What is embedded as it is: what a page is made of, and what it says of a report.
    private static let documentEndings = ["json", "html", "css", "js"]

    /// Its own SQL files, expanded, in the order of their names.
    package let files: [File]
    /// Its own documents, in the order of their names.
    package let documents: [File]
    /// By their names.
    package let folders: [(name: String, folder: SQLFolder)]

    /// Reads a folder and all below it.
    ///
    /// Throws `TemplateError`, or what reading a file throws.
    package init(at url: URL) throws {
        let rules = url.appendingPathComponent(RuleList.fileName)
        let hasRules = FileManager.default.fileExists(atPath: rules.path)
        let root = Root(url: url, rules: hasRules ? try RuleList(text: try Self.text(of: rules)) : .none)
        try self.init(at: url, path: "", root: root, lists: [:])
    }

    /// The folder of all SQL.
    private struct Root {
        let url: URL
        let rules: RuleList
    }

    /// `lists`: those of the folders that it is in.
    private init(at url: URL, path: String, root: Root, lists: [String: ColumnList]) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        let scope = try Self.scope(of: url, names, root: root.url, lists: lists)
        files = try names.filter { $0.hasSuffix(".sql") }.map { name in
            let text = try root.rules.expanded(
                try Self.text(of: url.appendingPathComponent(name)), path: path + name)
            return File(path: path + name, text: try Template(path: path + name, text: text, scope: scope).expanded())
        }
        documents = try names.compactMap { name in
            let parts = name.split(separator: ".")
            guard parts.count == 2, Self.documentEndings.contains(String(parts[1])) else { return nil }
            return File(path: path + name, text: try Self.text(of: url.appendingPathComponent(name)))
        }
        folders = try names.compactMap { name in
            let child = url.appendingPathComponent(name, isDirectory: true)
            guard (try? child.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { return nil }
            return (name, try SQLFolder(at: child, path: "\(path)\(name)/", root: root, lists: scope.lists))
        }
    }

    private static func scope(
        of url: URL, _ names: [String], root: URL, lists: [String: ColumnList]
    ) throws -> Template.Scope {
        let own = try names.filter { $0.hasSuffix(".columns") }.map { name in
            (String(name.dropLast(".columns".count)), ColumnList(text: try text(of: url.appendingPathComponent(name))))
        }
        return Template.Scope(
            lists: lists.merging(own) { _, own in own },
            tables: { try tables($0, nextTo: url, root: root) },
            includes: {
                names.contains("\($0).include") ? try text(of: url.appendingPathComponent("\($0).include")) : nil
            })
    }

    /// Those of the folder of that name that is beside a folder, or beside one that it is in.
    private static func tables(_ name: String, nextTo url: URL, root: URL) throws -> TableList? {
        if let list = try TableList(at: url.appendingPathComponent(name)) { return list }
        guard url.path.count > root.path.count else { return nil }
        return try tables(name, nextTo: url.deletingLastPathComponent(), root: root)
    }

    private static func text(of url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

    /// Its SQL files and those below it, in the order of their paths.
    package var allFiles: [File] { files + folders.flatMap(\.folder.allFiles) }
}
