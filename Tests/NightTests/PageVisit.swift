// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// What headless Chromium makes of a page: under filters, on paper, and for people with a keyboard, a screen reader or other eyes.
struct PageVisit {
    /// How cells of the page compare with the files beside it.
    struct Walk: Decodable {
        let compared: Int
        /// Of those, under a filter.
        let filtered: Int
        let differences: [String]
        let after: [String: State]
    }

    /// A table that was opened, another one that was sorted, and what is chosen.
    struct State: Decodable {
        let open: Bool
        let sort: String?
        let hash: String
        let range: String
        /// Where the section of a link that was followed is on the screen.
        let top: Int
    }

    struct Print: Decodable {
        /// What of the page is left as it was for the printer.
        struct After: Decodable {
            let parts: Int
            let hidden: Int
        }

        let sheets: Int
        let words: Int
        let canvases: Int
        let over: [String]
        let outside: [String]
        let after: After
        let said: [String]
    }

    struct Access: Decodable {
        struct Colours: Decodable {
            let series: Double
            let steps: Double
            let contrast: Double
        }

        struct Focus: Decodable {
            let text: String
            let id: String
            let outline: String
        }

        struct Aloud: Decodable {
            let role: String
            let text: String
        }

        let violations: [String: [String]]
        let colours: [String: Colours]
        /// How much wider than its window the page is, by what is looked with.
        let wider: [String: Int]
        let skip: Focus
        let skipped: Focus
        let aloud: Aloud
    }

    private struct Given: Encodable {
        let page: String
        let chromium: String
        let folder: String
        var lastDay = ""
        var seed = 0
        var steps = 0
        var cells = 0
        var dark = false
    }

    let page: String
    let folder: String

    /// The cells of the page as it is written, and so many of each step's.
    func walk(through lastDay: String, seed: Int, steps: Int, cells: Int) async throws -> Walk {
        try await run(
            "page_walk.py",
            Given(
                page: page, chromium: try Self.chromium(), folder: folder, lastDay: lastDay, seed: seed, steps: steps,
                cells: cells))
    }

    func printed(dark: Bool) async throws -> Print {
        try await run("page_print.py", Given(page: page, chromium: try Self.chromium(), folder: folder, dark: dark))
    }

    func access() async throws -> Access {
        try await run("page_access.py", Given(page: page, chromium: try Self.chromium(), folder: folder))
    }

    private func run<Seen: Decodable>(_ program: String, _ given: Given) async throws -> Seen {
        try await PythonProgram.run("NightTests/Browser/\(program)", given: given)
    }

    static func chromium() throws -> String {
        guard
            let chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
                .first(where: FileManager.default.isExecutableFile(atPath:))
        else { throw TestSupportError("no Chromium: scripts/setup installs it") }
        return chromium
    }
}
