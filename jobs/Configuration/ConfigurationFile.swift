// SPDX-License-Identifier: Apache-2.0

import Foundation
import Yams

/// Reads the configuration file: checks every key and value, and says all that is wrong at once.
///
/// Nothing is changed: no folder is made, no server started, no store asked.
enum ConfigurationFile {
    static let defaultPath = "subledger.yaml"

    /// The file that `--config` names, else `SUBLEDGER_CONFIG`, else `./subledger.yaml`.
    static func path(option: String?, environment: [String: String]) -> String {
        option ?? environment["SUBLEDGER_CONFIG"].flatMap { $0.isEmpty ? nil : $0 } ?? defaultPath
    }

    /// The configuration in that file.
    ///
    /// Throws `UsageError` with one line for each finding. Of the secrets that it names only those that are asked for
    /// are read.
    static func load(
        _ path: String, environment: [String: String], reading keys: KeyFiles = .ofStores
    ) throws(UsageError) -> Configuration {
        try whole(read(document(path), at: path, environment: environment, reading: keys))
    }

    private static func whole(
        _ read: (configuration: Configuration?, findings: Findings)
    ) throws(UsageError) -> Configuration {
        guard let configuration = read.configuration, read.findings.isEmpty else {
            throw UsageError(lines: read.findings.lines)
        }
        return configuration
    }

    /// The same of a file that is right in itself, and a line for each file it names that cannot be used.
    ///
    /// Apps whose files are wrong may be missing, or lack what is in them. Throws as `load` does where the file itself is wrong.
    static func inspect(
        _ path: String, environment: [String: String]
    ) throws(UsageError) -> (configuration: Configuration, problems: [String]) {
        let document = try document(path)
        func reading(_ keys: KeyFiles) -> (configuration: Configuration?, findings: Findings) {
            read(document, at: path, environment: environment, reading: keys)
        }
        let whole = try whole(reading(.none))
        let (stores, found) = reading(.ofStores)
        let ofRecipients = reading(.ofRecipients).findings.lines
        let ofPings = pings(path, environment: environment)?.problems ?? []
        return (
            stores ?? whole,
            found.lines + ofRecipients.filter { !found.lines.contains($0) } + ofPings.map { "\(path): \($0)" }
        )
    }

    private static func document(_ path: String) throws(UsageError) -> Node {
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw UsageError(
                "\(path): no such file, or not readable; name the configuration with --config or SUBLEDGER_CONFIG")
        }
        guard let text = String(data: contents, encoding: .utf8) else {
            throw UsageError("\(path):1: the file is not UTF-8 text")
        }
        return try root(of: text, path)
    }

    /// Nil only where something was found.
    private static func read(
        _ document: Node, at path: String, environment: [String: String], reading keys: KeyFiles
    ) -> (configuration: Configuration?, findings: Findings) {
        let findings = Findings(file: path)
        let reader = ConfigurationReader(
            files: Files(base: folder(of: path), trusted: trusted(environment), areRead: keys.haveReportFiles),
            keys: keys,
            findings: findings)
        return (reader.read(document), findings)
    }

    /// Where its relative paths start.
    static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    static func trusted(_ environment: [String: String]) -> [String] {
        [environment["CREDENTIALS_DIRECTORY"]].compactMap(\.self).filter { !$0.isEmpty }
            .map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    }

    static func root(of text: String, _ path: String) throws(UsageError) -> Node {
        do {
            return try compose(yaml: text) ?? Node("")
        } catch let error as YamlError {
            let (line, problem) = error.place
            throw UsageError("\(path):\(line): the file is not valid YAML: \(problem)")
        } catch {
            throw UsageError("\(path):1: the file is not valid YAML")
        }
    }
}

extension YamlError {
    /// Where and what, without the text around it: a database URL may hold a password.
    fileprivate var place: (line: Int, problem: String) {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            (mark.line, problem)
        case .duplicatedKeysInMapping(let duplicates, let context):
            (context.mark.line, "\(duplicates.joined(separator: ", ")) stands twice in one mapping")
        default: (1, "it cannot be read")
        }
    }
}
