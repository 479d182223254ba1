// SPDX-License-Identifier: Apache-2.0

/// Texts and tables as HTML: whatever a product is called, it is text and nothing else.
package enum HTMLText {
    /// Rows on paper of a table that is shown as it stands in its file.
    private static let paperRows = 40

    package static func escaped(_ text: some StringProtocol) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// A table that folds away.
    ///
    /// Labels stand apart from the text around them, in whatever direction they are written.
    ///
    /// `report`: the columns of this report lead to what they mean.
    static func table(_ table: PageTable, of report: ReportTerms) -> String {
        var html = "<details\(table.isOpen ? " open" : "")><summary>\(escaped(table.title))</summary>"
        html += "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"\(escaped(table.title))\">"
        html += "<table data-rows=\"\(escaped(table.kind.name))\"><thead><tr><th scope=\"col\">"
        html += "\(report.link(table.heading, to: table.kind.name))</th>"
        for column in table.columns {
            let heading = table.kind == .matrix ? escaped(column.label) : report.link(column.label, to: column.name)
            html += "<th scope=\"col\" class=\"n\" data-column=\"\(escaped(column.name))\">\(heading)</th>"
        }
        html += "</tr></thead><tbody>\n"
        for (place, row) in table.rows.enumerated() {
            let classes = (row.isBefore ? ["before"] : []) + (place < table.paperRows ? [] : ["screen"])
            html += classes.isEmpty ? "<tr>" : "<tr class=\"\(classes.joined(separator: " "))\">"
            html += "\(cells(of: row))</tr>\n"
        }
        html += "</tbody>" + (table.total.map { "<tfoot><tr>\(cells(of: $0))</tr></tfoot>" } ?? "")
        return html + "</table></div>\(onPaper(table.rows.count - table.paperRows, report))</details>\n"
    }

    private static func cells(of row: PageTable.Row) -> String {
        var html = "<th scope=\"row\"><bdi>\(escaped(row.label))</bdi></th>"
        for (index, cell) in row.cells.enumerated() {
            let depth = row.depths.indices.contains(index) ? row.depths[index].map { " d\($0)" } ?? "" : ""
            html += "<td class=\"n\(depth)\">\(escaped(cell))</td>"
        }
        return html
    }

    /// What paper says where it has no room for all rows.
    private static func onPaper(_ count: Int, _ report: ReportTerms) -> String {
        count > 0 ? "<p class=\"paper\">\(escaped(report.leftOnScreen(count)))</p>" : ""
    }

    /// Rows as they stand in the report's file.
    static func table(
        _ title: String, columns: [(label: String, name: String)], rows: [[String]], of report: ReportTerms
    ) -> String {
        var html = "<details open><summary>\(escaped(title))</summary><div class=\"wide\" tabindex=\"0\" role=\"group\""
        html += " aria-label=\"\(escaped(title))\"><table><thead><tr>"
        for column in columns { html += "<th scope=\"col\">\(report.link(column.label, to: column.name))</th>" }
        html += "</tr></thead><tbody>\n"
        for (place, row) in rows.enumerated() {
            html += place < paperRows ? "<tr>" : "<tr class=\"screen\">"
            html += row.map { "<td><bdi>\(escaped($0))</bdi></td>" }.joined() + "</tr>\n"
        }
        return html + "</tbody></table></div>\(onPaper(rows.count - paperRows, report))</details>\n"
    }
}
