// SPDX-License-Identifier: Apache-2.0

import Mustache

/// How the page's template escapes what it fills in: scalar by scalar.
///
/// Mustache's own goes by characters, and a `<` behind a scalar that joins the next one (U+0600) is another character
/// than `<`.
struct PageEscaping: MustacheContentType {
    /// As `page.html` asks for it.
    static let name = "PAGE"

    func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
}
