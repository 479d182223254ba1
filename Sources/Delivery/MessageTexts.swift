// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Rendering
import SQLCatalog

/// What messages say in a language: `messages.json`.
struct MessageTexts {
    private let texts: [String: String]

    /// A language that the file has not is spoken as English.
    ///
    /// Throws where the file cannot be read.
    init(language: String) throws {
        let all = try JSONDecoder().decode(
            [String: [String: String]].self, from: Data(MessageFiles.messages.text.utf8))
        texts = all[language] ?? all["en"] ?? [:]
    }

    /// Words in braces are filled in, each name followed by its text.
    subscript(_ name: String, _ words: String...) -> String { FilledText.filled(texts[name] ?? name, words) }
}
