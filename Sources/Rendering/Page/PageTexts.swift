// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model

/// What the page says in a language: sentences of `texts.json`, labels of columns and values, and each report's own texts.
struct PageTexts {
    /// `texts.json`, of one language.
    private struct Language: Codable {
        /// Sentences by name; `{word}` is filled in.
        var texts: [String: String]
        /// Those that the page's script says, too.
        let script: [String: String]
        /// Labels of columns; a column without one is called by its name.
        let labels: [String: String]
        /// What values are called, by value.
        let values: [String: String]
    }

    /// `ja.json` beside a report's SQL.
    private struct Translation: Decodable {
        let title: String
        let definition: String
        let columns: [String: String]
    }

    let language: String
    /// What apps are called, by id; those that are missing are called by their ids.
    let titles: [String: String]
    private let own: Language
    private let translations: [String: Translation]

    /// Throws `ReportError` where a text cannot be read.
    init(language: String, documents: [Document], titles: [String: String] = [:]) throws(ReportError) {
        (self.language, self.titles) = (language, titles)
        do {
            let all = try JSONDecoder().decode([String: Language].self, from: Data(PageFiles.texts.text.utf8))
            own = all[language] ?? Language(texts: [:], script: [:], labels: [:], values: [:])
            translations = try documents.reduce(into: [:]) { translations, document in
                let parts = document.name.split(separator: "/")
                guard parts.last == "\(language).json", let report = parts.dropLast().last else { return }
                translations[String(report)] = try JSONDecoder().decode(
                    Translation.self, from: Data(document.text.utf8))
            }
        } catch {
            throw ReportError(.definitions, "the texts of the page cannot be read: \(error)")
        }
    }

    subscript(_ name: String) -> String { own.texts[name] ?? own.script[name] ?? name }

    /// Words in braces are filled in, each name followed by its text.
    subscript(_ name: String, _ words: String...) -> String {
        FilledText.filled(self[name], words)
    }

    /// `set_to_cancel` is "Set to cancel" where no better label is given.
    func label(_ column: String) -> String {
        if let label = own.labels[column] { return label }
        let words = column.replacingOccurrences(of: "_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// A value as people call it: a store by its name, nothing as a dash.
    func value(_ value: String, of column: String) -> String {
        if value.isEmpty { return self["unknown"] }
        if column == "app_id" { return app(value) }
        return Self.named.contains(column) ? value : own.values[value] ?? value
    }

    func app(_ id: String) -> String { AppName(id, title: titles[id]).description }

    /// Columns whose values are names that somebody gave.
    private static let named: Set = ["app_id", "product_id", "country", "currency"]

    /// What moved, as the report of changes names it: `gross EUR`, `churned voluntary`.
    func figure(_ name: String) -> String {
        name.split(separator: " ").map { word in
            word.allSatisfy(\.isUppercase) ? String(word) : label(String(word))
        }.joined(separator: ", ")
    }

    func title(of report: String, _ spec: PageSpec?) -> String {
        translations[report]?.title ?? spec?.title ?? label(report)
    }

    func definition(of report: String, _ shape: ReportShape) -> String {
        translations[report]?.definition ?? shape.definition
    }

    func definition(of column: ReportColumn, in report: String) -> String {
        translations[report]?.columns[column.name] ?? column.definition
    }

    /// All sentences, for the page's frame.
    var all: [String: String] { own.texts.merging(own.script) { $1 } }

    /// For the page's own script.
    func json() throws -> String {
        var spoken = own
        spoken.texts = [:]
        return String(decoding: try JSONText.encode(spoken), as: UTF8.self)
    }
}
