// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// What openpyxl reads in a workbook, and Python's own `csv` in the files beside it.
struct ReadWorkbook: Decodable {
    struct Sheet: Decodable {
        struct Chart: Decodable {
            struct Series: Decodable {
                let name: String
                let categories: String
                let values: String
            }

            let kind: String
            let title: String
            let series: [Series]
            /// From 0 on.
            let row: Int
            let lastRow: Int
        }

        struct Printed: Decodable {
            let area: String
            let header: String?
            let orientation: String
            let pagesAcross: Int?
            let pagesDown: Int?
            let footer: String?
        }

        let name: String
        /// Of each cell its type (`s`, `n`, `d`, `f`), its value and its number format; nil where it is empty.
        let rows: [[[String]?]]
        let frozen: String?
        let filter: String?
        let charts: [Chart]
        let printed: Printed
        /// Of its columns, in characters.
        let widths: [Double]

        /// The values of a row, as texts; empty where there is none.
        func texts(_ row: Int) -> [String] { rows[row].map { $0?[1] ?? "" } }

        /// A column below its header, to the first empty row.
        func column(_ name: String) -> [[String]?] {
            guard let header = rows.indices.first(where: { texts($0).contains(name) }),
                let place = texts(header).firstIndex(of: name)
            else { return [] }
            return rows[(header + 1)...].prefix { row in row.contains { $0 != nil } }.map { $0[place] }
        }
    }

    let sheets: [Sheet]
    /// The rows of each CSV file, its header first, by its name without `.csv`.
    let files: [String: [[String]]]
    /// Formulas and links, counted in the bytes of the sheets.
    let formulas: Int
    /// The files within the file.
    let parts: [String]
    let created: String

    func sheet(_ name: String) -> Sheet? { sheets.first { $0.name == name } }

    /// Reads the workbook of an issue.
    static func read(in folder: String) async throws -> ReadWorkbook {
        try await PythonProgram.run("ReportSupport/Readers/read_workbook.py", given: ["folder": folder])
    }
}
