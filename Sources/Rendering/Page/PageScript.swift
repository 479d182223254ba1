// SPDX-License-Identifier: Apache-2.0

import Foundations
import Signing

/// The page's scripts, and their checksums: the page runs these and no others.
struct PageScript {
    /// Chart.js; nil where it was not found.
    let charts: String?
    let own = Self.parts

    init(charts: String?) {
        // What would end the element early is the same script with a backslash.
        self.charts = charts.map { $0.replacing("</script", with: "<\\/script") }
    }

    /// As a content security policy names them.
    var hashes: String { ([charts].compactMap(\.self) + [own]).map(Self.hash).joined(separator: " ") }

    static func hash(_ text: String) -> String { "'sha256-\(Base64.encode(SHA256.digest(Array(text.utf8))))'" }

    /// One function of all its files, each of which uses those before it.
    static let parts: String = {
        let files = [
            PageFiles.Script.figures, PageFiles.Script.words, PageFiles.Script.choice, PageFiles.Script.sums,
            PageFiles.Script.tables, PageFiles.Script.cards, PageFiles.Script.drawing, PageFiles.Script.charts,
            PageFiles.Script.filters, PageFiles.Script.paper, PageFiles.Script.start,
        ]
        return "(() => {\n\"use strict\";\n" + files.map(\.text).joined(separator: "\n") + "})();\n"
    }()
}
