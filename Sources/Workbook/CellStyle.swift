// SPDX-License-Identifier: Apache-2.0

import CXLSXWriter

/// How a cell is shown.
package enum CellStyle: Int, Sendable, CaseIterable {
    case plain
    case title
    /// The name of a column.
    case heading
    /// `yyyy-mm-dd`.
    case date
    /// `yyyy-mm-dd hh:mm:ss`.
    case instant
    case count
    /// An amount in units of its currency.
    case amount
    /// A part of a whole, in per cent.
    case share

    /// As spreadsheets write number formats; nil for text.
    package var numberFormat: String? {
        switch self {
        case .plain, .title, .heading: nil
        case .date: "yyyy-mm-dd"
        case .instant: "yyyy-mm-dd hh:mm:ss"
        case .count: "#,##0"
        case .amount: "#,##0.00####"
        case .share: "0.0 %"
        }
    }

    /// Makes the workbook's format of this style; nil for the plain one.
    func makeFormat(in workbook: UnsafeMutablePointer<lxw_workbook>) -> UnsafeMutablePointer<lxw_format>? {
        guard self != .plain, let format = unsafe workbook_add_format(workbook) else { return nil }
        if let numberFormat { unsafe format_set_num_format(format, numberFormat) }
        switch self {
        case .title: unsafe format_set_bold(format)
        case .heading:
            unsafe format_set_bold(format)
            unsafe format_set_bg_color(format, 0xE6ECF2)
            unsafe format_set_bottom(format, UInt8(LXW_BORDER_THIN.rawValue))
        default: break
        }
        return unsafe format
    }
}
