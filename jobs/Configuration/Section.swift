// SPDX-License-Identifier: Apache-2.0

import Model
import Yams

/// One mapping of the configuration file: hands its values out checked, and reports what is wrong with its line.
///
/// A value that is wrong reads as nil; the file is refused at the end because of the finding.
struct Section {
    /// A value with the line it is on.
    struct Entry {
        let line: Int
        let node: Node
    }

    /// `apps[0]`; empty for the whole file.
    let path: String
    /// Where the mapping begins.
    let line: Int
    let findings: Findings
    private let entries: [String: Entry]

    /// Reads a mapping, whose keys may only be the known ones.
    ///
    /// Nil for something else, which is reported.
    init?(_ node: Node, path: String, line: Int, keys: [String], findings: Findings) {
        self.init(node, path: path, line: line, findings: findings)
        refuseUnknown(keys)
    }

    /// Reads a mapping without looking at its keys: `refuseUnknown` is called when it is known which there may be.
    init?(_ node: Node, path: String, line: Int, findings: Findings) {
        self.path = path
        self.line = line
        self.findings = findings
        if node.isEmptyScalar {
            self.entries = [:]
        } else if case .mapping(let mapping) = node {
            let pairs = mapping.compactMap { key, value in
                key.string.map { ($0, Entry(line: key.mark?.line ?? line, node: value)) }
            }
            self.entries = Dictionary(pairs) { first, _ in first }
        } else {
            findings.add("\(path.isEmpty ? "the file" : path) must be a mapping of keys to values", line: line)
            return nil
        }
    }

    /// Reports every key that is neither known nor among those that were reported already.
    func refuseUnknown(_ keys: [String], besides reported: [String] = []) {
        for (key, entry) in entries where !keys.contains(key) && !reported.contains(key) {
            let hint = Suggestion.nearest(to: key, among: keys).map { "; did you mean \($0)?" } ?? ""
            findings.add("\(name(key)) is no known key\(hint)", line: entry.line)
        }
    }

    /// A key of another kind of app: said so, instead of being called unknown.
    func refuse(_ keys: [String], because reason: String) {
        for key in keys {
            if let entry = entries[key] { findings.add("\(name(key)) \(reason)", line: entry.line) }
        }
    }

    /// The key as it is named in findings.
    func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func entry(_ key: String) -> Entry? { entries[key] }

    func has(_ key: String) -> Bool { entries[key] != nil }

    /// A finding about that key, on its line; on the section's line where it is missing.
    func find(_ key: String, _ problem: String) {
        findings.add("\(name(key)) \(problem)", line: entries[key]?.line ?? line)
    }

    /// The mapping below a key; an empty one where it is left out.
    func section(_ key: String, keys: [String]) -> Section? {
        let entry = entries[key] ?? Entry(line: line, node: Node(""))
        return Section(entry.node, path: name(key), line: entry.line, keys: keys, findings: findings)
    }

    /// The items of a list; none where it is left out.
    func list(_ key: String) -> [Entry] {
        guard let entry = entries[key], !entry.node.isEmptyScalar else { return [] }
        guard case .sequence(let items) = entry.node else {
            find(key, "must be a list")
            return []
        }
        return items.map { Entry(line: $0.mark?.line ?? entry.line, node: $0) }
    }
}

extension Node {
    /// Nothing, `~` or `null` without quotes.
    var isEmptyScalar: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }
}
