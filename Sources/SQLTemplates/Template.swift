// SPDX-License-Identifier: Apache-2.0

/// A text with what it repeats written once, and how it is written out: plain SQL.
///
/// `{each movement}…{end}` is repeated for each column of that list, and `{movement}` is that column alone there.
///
/// `{each intermediate}…{end}` is repeated for each table of that folder, `{table}` is its name there; `with key` and
/// `without key` choose those whose file has, or has not, such a line at its head, and the list of that line is then one as
/// those of a `.columns` file (`ColumnList.Mention`). `{include planner}` is the text of `planner.include` of the same folder.
/// `{each …}` and `{end}` that are alone on their lines leave no line. Whatever else is in braces, with a letter first, has to be
/// the name of a list.
package struct Template {
    /// What a text may name.
    package struct Scope {
        /// By the names of their files.
        package var lists: [String: ColumnList]
        /// The tables of a folder; nil where there is none of that name.
        package var tables: (String) throws -> TableList?
        /// The text of a file that is included; nil where there is none.
        package var includes: (String) throws -> String?

        package init(
            lists: [String: ColumnList] = [:], tables: @escaping (String) throws -> TableList? = { _ in nil },
            includes: @escaping (String) throws -> String? = { _ in nil }
        ) {
            self.lists = lists
            self.tables = tables
            self.includes = includes
        }
    }

    private let path: String
    private let text: String
    private let scope: Scope

    /// `path`: where the text is, for those who have to mend it.
    package init(path: String, text: String, scope: Scope) {
        self.path = path
        self.text = text
        self.scope = scope
    }

    /// Plain SQL.
    ///
    /// Throws `TemplateError`, which names the line.
    package func expanded() throws -> String {
        var (output, rest) = ("", text[...])
        while let tag = rest.firstMatch(of: /\{(each|end)\b[^}\n]*\}/) {
            guard tag.1 == "each" else { throw error(at: tag.range, "{end} without an {each …} before it") }
            let body = rest[tag.range.upperBound...]
            guard let end = body.firstMatch(of: /\{(?:end|each\b[^}\n]*)\}/), end.0 == "{end}" else {
                throw error(at: tag.range, "\(tag.0) is not ended by {end}")
            }
            let (start, finish) = (lineRange(of: tag.range), lineRange(of: end.range))
            output += try mentions(in: rest[..<start.lowerBound], scope.lists)
            for lists in try repetitions(of: tag.0, at: tag.range) {
                output += try mentions(
                    in: text[start.upperBound..<finish.lowerBound], scope.lists.merging(lists) { $1 })
            }
            rest = text[finish.upperBound...]
        }
        return output + (try mentions(in: rest, scope.lists))
    }

    /// The tag, or the whole line where nothing else is in it.
    private func lineRange(of tag: Range<String.Index>) -> Range<String.Index> {
        let isFirst = tag.lowerBound == text.startIndex || text[text.index(before: tag.lowerBound)] == "\n"
        let isLast = tag.upperBound < text.endIndex && text[tag.upperBound] == "\n"
        return tag.lowerBound..<(isFirst && isLast ? text.index(after: tag.upperBound) : tag.upperBound)
    }

    /// What a block is repeated with: the lists that it may mention besides, each time.
    private func repetitions(of tag: Substring, at range: Range<String.Index>) throws -> [[String: ColumnList]] {
        let name = String(tag.dropFirst("{each ".count).dropLast())
        if let list = scope.lists[name] { return list.columns.map { [name: ColumnList(columns: [$0])] } }
        return try tables(of: tag, at: range).map { table in
            let own = table.head.lists.mapValues { names in
                ColumnList(columns: names.map { ColumnList.Column(name: $0, words: []) })
            }
            return own.merging(["table": ColumnList(columns: [.init(name: table.name, words: [])])]) { $1 }
        }
    }

    private func tables(of tag: Substring, at range: Range<String.Index>) throws -> [TableList.Table] {
        guard let parts = tag.wholeMatch(of: /\{each (\w+)(?: (with|without) ([a-z ]+))?\}/) else {
            throw error(
                at: range, "\(tag) is none of {each tables}, {each tables with word}, {each tables without word}")
        }
        guard let list = try scope.tables(String(parts.1)) else {
            throw error(at: range, "no folder \(parts.1) with tables is beside this one, or above it")
        }
        guard let choice = parts.2, let word = parts.3.map(String.init) else { return list.tables }
        guard list.tables.contains(where: { $0.head.lists[word] != nil }) else {
            throw error(at: range, "no table of \(parts.1) has a line '-- \(word): …' at its head")
        }
        return list.tables.filter { ($0.head.lists[word] != nil) == (choice == "with") }
    }

    /// The text with everything that it mentions written out.
    private func mentions(in part: Substring, _ lists: [String: ColumnList]) throws -> String {
        var (output, rest) = ("", part)
        while let mention = rest.firstMatch(of: /\{[a-z][^{},\n]*\}/) {
            output += rest[..<mention.range.lowerBound]
            output += try text(of: mention.0, at: mention.range, lists)
            rest = rest[mention.range.upperBound...]
        }
        return output + rest
    }

    private func text(
        of mention: Substring, at range: Range<String.Index>, _ lists: [String: ColumnList]
    ) throws -> String {
        let form =
            /\{(?:include (?<file>\w+)|(?:(?<owner>\w+)\.)?(?<list>\w+)(?: not (?<word>\w+))?(?: = (?<other>\w+))?)\}/
        guard let parts = mention.wholeMatch(of: form) else {
            throw error(at: range, "\(mention) is no mention of a list and no {include file}")
        }
        if let file = parts.file { return try included(String(file), at: range) }
        let name = String(parts.list ?? "")
        guard let list = lists[name] else { throw error(at: range, Self.unknown(mention, among: lists)) }
        let wanted = ColumnList.Mention(owner: parts.owner, without: parts.word, other: parts.other)
        guard let text = list.text(wanted) else {
            throw error(at: range, "no column of \(name) has the word '\(parts.word ?? "")'")
        }
        return text
    }

    private static func unknown(_ mention: Substring, among lists: [String: ColumnList]) -> String {
        let known = lists.isEmpty ? "there are none here" : "there are \(lists.keys.sorted().joined(separator: ", "))"
        return "\(mention) names no list; \(known)"
    }

    /// What is included includes nothing itself.
    private func included(_ name: String, at range: Range<String.Index>) throws -> String {
        guard let text = try scope.includes(name) else {
            throw error(at: range, "there is no \(name).include beside this file")
        }
        let folder = path.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        let inner = Template(
            path: "\(folder)\(name).include", text: text, scope: Scope(lists: scope.lists, tables: scope.tables))
        let written = try inner.expanded()
        return written.hasSuffix("\n") ? String(written.dropLast()) : written
    }

    private func error(at range: Range<String.Index>, _ message: String) -> TemplateError {
        TemplateError(path: path, line: 1 + text[..<range.lowerBound].count { $0 == "\n" }, message: message)
    }
}
