// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Rebuilds the SQL catalogue whenever a file below sql/ changes, the files of a target of its own whenever one of theirs does, and
/// the constants of rules, which are Model's, whenever `sql/rules.txt` does, and the program's commit whenever HEAD moves.
@main
struct EmbedSQLPlugin: BuildToolPlugin {
    /// Targets that embed files of their own: which, and as what.
    private static let ownFiles = [
        "Rendering": ("Sources/Rendering/Page/Files", "PageFiles"),
        "Delivery": ("Sources/Delivery/Files", "MessageFiles"),
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        if target.name == "Model" { return [try rules(of: package.appending(path: "sql/rules.txt"), context)] }
        if target.name == "Program" { return [try commit(of: package, context)] }
        guard let (folder, name) = Self.ownFiles[target.name] else {
            return [
                try command(
                    embedding: package.appending(path: "sql"), as: "SQL", importing: "Foundations,Postgres", context)
            ]
        }
        return [
            try command(embedding: package.appending(path: folder), as: name, importing: "Foundations", context)
        ]
    }

    private func rules(of file: URL, _ context: PluginContext) throws -> Command {
        let output = context.pluginWorkDirectoryURL.appending(path: "Rules.swift")
        return .buildCommand(
            displayName: "Embedding Rules", executable: try context.tool(named: "EmbedSQL").url,
            arguments: ["rules", file.path, output.path], inputFiles: [file], outputFiles: [output])
    }

    private func commit(of package: URL, _ context: PluginContext) throws -> Command {
        let log = Self.headLog(of: package)
        let output = context.pluginWorkDirectoryURL.appending(path: "Commit.swift")
        return .buildCommand(
            displayName: "Embedding the commit", executable: try context.tool(named: "EmbedSQL").url,
            arguments: ["commit", log?.path ?? "", output.path], inputFiles: log.map { [$0] } ?? [],
            outputFiles: [output])
    }

    /// Git's log of where HEAD has been; nil where the package is no checkout.
    private static func headLog(of package: URL) -> URL? {
        var git = package.appending(path: ".git")
        // A further work tree has a file there, which names the folder.
        if let text = try? String(contentsOf: git, encoding: .utf8), text.hasPrefix("gitdir: ") {
            git = URL(
                fileURLWithPath: text.dropFirst("gitdir: ".count).trimmingCharacters(in: .newlines),
                relativeTo: package)
        }
        let log = git.appending(path: "logs/HEAD")
        return FileManager.default.fileExists(atPath: log.path) ? log : nil
    }

    private func command(
        embedding folder: URL, as name: String, importing targets: String, _ context: PluginContext
    ) throws -> Command {
        let root = folder.resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
        let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        let files = (found?.compactMap { $0 as? URL } ?? []).filter {
            ["sql", "columns", "include", "txt", "json", "html", "css", "js"].contains($0.pathExtension)
        }
        return .buildCommand(
            displayName: "Embedding \(name)", executable: try context.tool(named: "EmbedSQL").url,
            arguments: [root.path, name, targets, output.path], inputFiles: files, outputFiles: [output])
    }
}
