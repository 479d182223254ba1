// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Rebuilds the SQL catalogue whenever a file below sql/ changes, the files of a target of its own whenever one of theirs does, and
/// the constants of rules, which are Model's, whenever `sql/rules.txt` does.
@main
struct EmbedSQLPlugin: BuildToolPlugin {
    /// Targets that embed files of their own: which, and as what.
    private static let ownFiles = [
        "Reports": ("Sources/Reports/Page/Files", "PageFiles"), "Delivery": ("Sources/Delivery/Files", "MessageFiles"),
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        if target.name == "Model" { return [try rules(of: package.appending(path: "sql/rules.txt"), context)] }
        guard let (folder, name) = Self.ownFiles[target.name] else {
            return [
                try command(embedding: package.appending(path: "sql"), as: "SQL", importing: "Postgres", context)
            ]
        }
        return [
            try command(embedding: package.appending(path: folder), as: name, importing: "SQLCatalog", context)
        ]
    }

    private func rules(of file: URL, _ context: PluginContext) throws -> Command {
        let output = context.pluginWorkDirectoryURL.appending(path: "Rules.swift")
        return .buildCommand(
            displayName: "Embedding Rules", executable: try context.tool(named: "EmbedSQL").url,
            arguments: ["rules", file.path, output.path], inputFiles: [file], outputFiles: [output])
    }

    private func command(
        embedding folder: URL, as name: String, importing target: String, _ context: PluginContext
    ) throws -> Command {
        let root = folder.resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
        let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        let files = (found?.compactMap { $0 as? URL } ?? []).filter {
            ["sql", "columns", "include", "txt", "json", "html", "css", "js"].contains($0.pathExtension)
        }
        return .buildCommand(
            displayName: "Embedding \(name)", executable: try context.tool(named: "EmbedSQL").url,
            arguments: [root.path, name, target, output.path], inputFiles: files, outputFiles: [output])
    }
}
