// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing

@testable import Rendering
@testable import Workbook

/// Values as cells hold them: days by number, decimals without a lost digit, text that fits.
@Suite struct CellTests {
    @Test(arguments: [
        ("9.990000", Cell.number(9.99)), ("-0.000001", .number(-0.000001)), ("0.000000", .number(0)),
        ("999999999.999999", .number(999_999_999.999999)), ("1000000000000000000.000000", .number(1e18)),
        ("1000000000.999999", .text("1000000000.999999")), ("9007199254740993", .text("9007199254740993")),
        ("NaN", .text("NaN")), ("Infinity", .text("Infinity")), ("-infinity", .text("-infinity")),
    ])
    func `a decimal is a number while no digit is lost`(text: String, cell: Cell) {
        #expect(Cell(decimal: text) == cell)
    }

    @Test(arguments: [
        ("1970-01-01", 25_569.0), ("1901-01-01", 367), ("2000-02-29", 36_585), ("2026-02-06", 46_059),
        ("9999-12-31", 2_958_465),
    ])
    func `a day is the number that spreadsheets give it`(day: String, number: Double) {
        #expect(Cell(day: day) == .number(number))
    }

    @Test(arguments: ["infinity", "-infinity", "1900-12-31", "10000-01-01", "2026-1-1", "2026-13-01", ""])
    func `what is no day of a spreadsheet stays text`(day: String) {
        #expect(Cell(day: day) == .text(day))
    }

    @Test func `instants are days and parts of a day`() {
        #expect(Cell(instant: "43200") == .number(25_569.5))
        #expect(Cell(instant: "253402300799") != .text("253402300799"))
        #expect(Cell(instant: "253402300800") == .text("253402300800"))
    }

    @Test func `text that no cell can contain is cut, and what no XML may contain is replaced`() {
        let long = String(repeating: "é", count: 32_767)
        #expect(CellText.writable(long) == long)
        #expect(CellText.writable(long + "é") == long.dropLast() + "…")
        let wide = String(repeating: "😀", count: 20_000)
        #expect(CellText.writable(wide).utf16.count == 32_767 && CellText.writable(wide).hasSuffix("😀…"))
        #expect(CellText.writable("a\u{FFFE}b\u{FFFF}ﬂ") == "a\u{FFFD}b\u{FFFD}ﬂ")
        #expect(CellText.writable("_x0041_x0042_ _x_y") == "_x005F_x0041_x005F_x0042_ _x_y")
    }

    @Test func `sums of months are exact`() {
        #expect(DecimalText.micros("-0.000001") == Int128(-1) && MonthlyFigures.text(-1) == "-0.000001")
        #expect(DecimalText.micros("12") == Int64(12_000_000) && DecimalText.micros("1.5") == Int64(1_500_000))
        #expect(DecimalText.micros("9223372036854775807.999999") as Int128? != nil)
        #expect(DecimalText.micros("9223372036854775807") as Int64? == nil)
        for text in ["", "-", ".5", "a", "1.-5", "1.2.3", "1.0000001"] {
            #expect(DecimalText.micros(text) as Int64? == nil, "\(text)")
        }
    }

    /// On the 30th 10 USD and an amount without a rate, on the 31st two without one: the month ended with nothing that can be said.
    @Test func `what a month's last day does not know is empty on the Summary, whatever an earlier day knew`() throws {
        var figures = MonthlyFigures(through: try #require(BusinessDate("2026-01-31")))
        let columns = ["date", "closing_reporting", "reporting_currency"].map {
            SheetColumn(name: $0, kind: .amount, definition: "")
        }
        figures.begin("mrr_bridge", columns)
        figures.append([
            ["2025-12-31", "7.000000", "USD"], ["2025-12-31", "1.500000", "USD"], ["2025-12-31", nil, "USD"],
            ["2026-01-31", nil, "USD"], ["2026-01-30", "10.000000", "USD"], ["2026-01-31", nil, "USD"],
        ])
        let closing = try #require(MonthlyFigure.place(of: "closing_mrr")) + 2
        #expect(figures.rows.map { [$0[0], $0[closing]] } == [["2025-12", "8.500000"], ["2026-01", nil]])
    }

    /// The last five left on 9 January, of which the report has no row; in February there is a refund.
    ///
    /// Two came on 10 March, the last day.
    @Test func `where a month's last day has no row its figures are 0, and not those of an earlier day`() throws {
        var figures = MonthlyFigures(through: try #require(BusinessDate("2026-03-10")))
        let columns = { (names: [String]) in names.map { SheetColumn(name: $0, kind: .amount, definition: "") } }
        figures.begin("revenue", columns(["date", "refunded_reporting"]))
        figures.append([["2025-11-01", "1.000000"], ["2026-02-03", "9.000000"]])
        figures.begin("subscribers", columns(["date", "active"]))
        figures.append([["2025-12-31", "5"], ["2026-01-08", "5"], ["2026-03-10", "2"]])
        let places = try ["active", "refunded"].map { try #require(MonthlyFigure.place(of: $0)) + 2 }
        #expect(
            figures.rows.map { row in [row[0]] + places.map { row[$0] } } == [
                ["2025-11", nil, "1.000000"], ["2025-12", "5", nil], ["2026-01", "0", nil],
                ["2026-02", "0", "9.000000"], ["2026-03", "2", nil],
            ])
    }

    @Test func `a workbook that cannot be written says so`() throws {
        let properties = Workbook.Properties(title: "t", comment: "c", created: 1)
        let book = try Workbook(at: "/no such folder/b.xlsx", temporaryFolder: "/tmp", properties: properties)
        let sheet = try book.addSheet("one")
        #expect(throws: WorkbookError.self) { try book.addSheet("one") }
        #expect(throws: WorkbookError.self) { try book.addSheet("a name [that] no sheet may have") }
        #expect(throws: WorkbookError.self) { try sheet.write(.number(1), row: Worksheet.rowLimit, column: 0) }
        let failure = #expect(throws: WorkbookError.self) { try book.close() }
        #expect(failure?.code == .disk && failure?.description.contains("/no such folder/b.xlsx") == true)
        #expect(throws: WorkbookError.self) { try sheet.write(.number(1), row: 0, column: 0) }
        #expect(throws: WorkbookError.self) { try book.close() }
    }
}
