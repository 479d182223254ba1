// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import subledger

/// A line that is drawn over must not wrap, and says as much as there is room for.
@Suite struct ProgressLineTests {
    private static let start = ContinuousClock.now
    private static let later = start + .seconds(100)

    private static func line(_ apps: Int) -> ProgressLine {
        var progress: [AppID: AppProgress] = [:]
        for number in 1...apps {
            var app = AppProgress(due: 1_000, startedAt: start)
            app.done = 250
            progress[AppID("app-\(number)")] = app
        }
        return ProgressLine(apps: progress, now: later)
    }

    @Test func `apps are named where there is room, else they are one part`() {
        let named =
            "app-1 [#####---------------] 250/1,000 3/s 5 min left   app-2 [#####---------------] 250/1,000 3/s 5 min left"
        #expect(Self.line(2).text(width: 120) == named)
        #expect(Self.line(2).text(width: 79) == "2 apps [#####---------------] 500/2,000 5/s 5 min left")
        #expect(Self.line(2).text(width: 40) == "2 apps 500/2,000 5/s 5 min left")
        #expect(Self.line(2).text(width: 20) == "500/2,000")
        #expect(Self.line(2).text(width: 4) == "500/")
    }

    @Test(arguments: [1, 2, 3_000]) func `no line is wider than its place`(_ apps: Int) {
        for width in 0...200 { #expect(Self.line(apps).text(width: width).count <= width) }
    }

    @Test func `in a log thousands of apps are one line of one part, without a bar`() {
        #expect(Self.line(3_000).text(width: nil) == "3,000 apps 750,000/3,000,000 7,500/s 5 min left")
        #expect(Self.line(1).text(width: nil) == "app-1 250/1,000 3/s 5 min left")
    }

    @Test func `the writing of the reports has a line, too`() {
        let line = { ProgressLine.reports(since: Self.start, now: Self.later, width: $0) }
        #expect(line(nil) == "writing the reports, 1 min" && line(11) == "writing the")
    }
}
