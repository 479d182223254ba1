// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

@testable import Reports

/// Lines of a report's file, as issued and as copied for Excel.
@Suite struct CSVColumnsTests {
    private static let columns = [
        ReportColumn(name: "product_id", kind: .text, definition: ""),
        ReportColumn(name: "day", kind: .date, definition: ""),
        ReportColumn(name: "rows", kind: .count, definition: ""),
        ReportColumn(name: "net", kind: .decimal, definition: ""),
    ]

    private static func lines(_ rows: [[String?]], _ profile: CSVProfile) -> String {
        var bytes = profile.opening
        CSVText.append(header: columns, as: profile, to: &bytes)
        for row in rows { CSVText.append(row, columns: columns, as: profile, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `amounts bear the decimal sign of the language; texts, days and counts stay`() throws {
        let rows: [[String?]] = [
            ["v1.2", "2026-01-05", "-3", "-9.990000"], [nil, nil, nil, nil], ["a,b;c", nil, "0", "1"],
        ]
        #expect(
            Self.lines(rows, try #require(CSVProfile(excelFor: "de"))) == """
                \u{FEFF}product_id;day;rows;net\r
                v1.2;2026-01-05;-3;-9,990000\r
                ;;;\r
                "a,b;c";;0;1\r\n
                """)
        #expect(
            Self.lines(rows, try #require(CSVProfile(excelFor: "ja"))) == """
                \u{FEFF}product_id,day,rows,net\r
                v1.2,2026-01-05,-3,-9.990000\r
                ,,,\r
                "a,b;c",,0,1\r\n
                """)
    }

    @Test func `what is issued bears no mark`() {
        #expect(
            Self.lines([["a;b", nil, "1", "-2.5"]], .standard) == "product_id,day,rows,net\na;b,,1,-2.5\n")
    }
}
