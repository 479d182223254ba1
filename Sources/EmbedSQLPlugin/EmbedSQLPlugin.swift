// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Makes the SQL catalogue anew whenever a file below sql/ changes.
@main
struct EmbedSQLPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL.appending(path: "sql").resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "SQL.swift")
        let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        let files = (found?.compactMap { $0 as? URL } ?? []).filter { ["sql", "columns"].contains($0.pathExtension) }
        return [
            .buildCommand(
                displayName: "Embedding sql/", executable: try context.tool(named: "EmbedSQL").url,
                arguments: [root.path, output.path], inputFiles: files, outputFiles: [output])
        ]
    }
}
