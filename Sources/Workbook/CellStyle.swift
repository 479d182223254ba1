// SPDX-License-Identifier: Apache-2.0

import CXLSXWriter

/// How a cell is shown.
package enum CellStyle: Int, Sendable, CaseIterable {
    case plain
    case title
    /// The name of a column.
    case heading
    /// Text on several lines, where its column is narrower.
    case wrapped
    /// `yyyy-mm-dd`.
    case date
    /// The first day of a month, as `yyyy-mm`.
    case month
    /// `yyyy-mm-dd hh:mm:ss`.
    case instant
    case count
    /// An amount of a currency without a minor unit, with cents, with thousandths.
    case wholeAmount, amount, preciseAmount
    /// A number that is no amount of one currency.
    case decimal
    /// An exchange rate.
    case rate
    /// A part of a whole, in per cent.
    case share

    /// An amount, by the digits of its currency's minor unit.
    package static func amount(digits: Int) -> CellStyle {
        switch digits {
        case 0: .wholeAmount
        case 3: .preciseAmount
        default: .amount
        }
    }

    /// As spreadsheets write number formats; nil for text.
    ///
    /// What is below zero is red, too.
    package var numberFormat: String? {
        switch self {
        case .plain, .title, .heading, .wrapped: nil
        case .date: "yyyy-mm-dd"
        case .month: "yyyy-mm"
        case .instant: "yyyy-mm-dd hh:mm:ss"
        case .count: "#,##0"
        case .wholeAmount: "#,##0;[Red]-#,##0"
        case .amount: "#,##0.00;[Red]-#,##0.00"
        case .preciseAmount: "#,##0.000;[Red]-#,##0.000"
        case .decimal: "#,##0.00####"
        case .rate: "#,##0.0000####"
        case .share: "0.0%"
        }
    }

    /// Makes the workbook's format of this style; nil for the plain one.
    func makeFormat(in workbook: UnsafeMutablePointer<lxw_workbook>) -> UnsafeMutablePointer<lxw_format>? {
        guard self != .plain, let format = unsafe workbook_add_format(workbook) else { return nil }
        if let numberFormat { unsafe format_set_num_format(format, numberFormat) }
        switch self {
        case .title:
            unsafe format_set_bold(format)
            unsafe format_set_font_size(format, 14)
        case .heading:
            unsafe format_set_bold(format)
            unsafe format_set_bg_color(format, 0xE6ECF2)
            unsafe format_set_bottom(format, UInt8(LXW_BORDER_THIN.rawValue))
        case .wrapped:
            unsafe format_set_text_wrap(format)
            unsafe format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
        default: break
        }
        return unsafe format
    }
}
