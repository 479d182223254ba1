// SPDX-License-Identifier: Apache-2.0

import Signing
import SQLCatalog

/// The page's scripts, and their checksums: the page runs these and no others.
struct PageScript {
    /// Chart.js; nil where it was not found.
    let charts: String?
    let own = PageFiles.script.text

    init(charts: String?) {
        // What would end the element early is the same script with a backslash.
        self.charts = charts.map { $0.replacing("</script", with: "<\\/script") }
    }

    /// As a content security policy names them.
    var hashes: String { ([charts].compactMap(\.self) + [own]).map(Self.hash).joined(separator: " ") }

    static func hash(_ text: String) -> String { "'sha256-\(Base64.encode(SHA256.digest(Array(text.utf8))))'" }
}
