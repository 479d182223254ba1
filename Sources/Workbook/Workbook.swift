// SPDX-License-Identifier: Apache-2.0

import CXLSXWriter
import Glibc

/// An XLSX file while it is written (libxlsxwriter): its sheets' rows go to the disk as they come, so that memory stays
/// flat however many there are.
///
/// Each sheet's cells are written from the top to the bottom.
///
/// It owns the library's workbook, and with it every sheet, format and chart. Calls block: they belong on a thread of their own.
@safe
package final class Workbook {
    /// What is said of the file; the same gives the same bytes.
    package struct Properties: Sendable {
        let title: String
        let comment: String
        /// In seconds since 1970, never 0: the library would take the wall clock's.
        let created: Int

        package init(title: String, comment: String, created: Int) {
            self.title = title
            self.comment = comment
            self.created = created == 0 ? 1 : created
        }
    }

    private let path: String
    private let temporaryFolder: String
    /// Nil once it is closed.
    private var open: UnsafeMutablePointer<lxw_workbook>?
    /// By style; nil for the plain one.
    private var formats: [UnsafeMutablePointer<lxw_format>?] = unsafe []
    private var sheets: [WrittenSheet] = []

    /// `temporaryFolder`: where rows are kept until the file is finished, without a name.
    package init(at path: String, temporaryFolder: String, properties: Properties) throws(WorkbookError) {
        self.path = path
        self.temporaryFolder = temporaryFolder
        let folder = unsafe strdup(temporaryFolder)
        defer { unsafe free(folder) }
        var options = unsafe lxw_workbook_options()
        unsafe options.constant_memory = 1
        unsafe subledger_set_tmpdir(&options, folder)
        guard let workbook = unsafe workbook_new_opt(path, &options) else {
            throw WorkbookError(.library, "cannot begin the workbook \(path): no memory")
        }
        unsafe open = workbook
        unsafe formats = CellStyle.allCases.map { unsafe $0.makeFormat(in: workbook) }
        try unsafe set(properties, of: workbook)
    }

    /// Gives it up, unless it was closed: the library itself would leave the sheets' rows open.
    deinit {
        guard let workbook = unsafe open else { return }
        for sheet in sheets { sheet.abandon() }
        unsafe lxw_workbook_free(workbook)
    }

    /// Adds a sheet behind the others.
    package func addSheet(_ name: String) throws(WorkbookError) -> Worksheet {
        let workbook = try unsafe handle()
        try WorkbookError.check(unsafe workbook_validate_sheet_name(workbook, name), "name a sheet \(name)")
        guard let sheet = unsafe workbook_add_worksheet(workbook, name) else {
            throw WorkbookError(.disk, "cannot begin the sheet \(name) of \(path)")
        }
        sheets.append(unsafe WrittenSheet(handle: sheet))
        return unsafe Worksheet(handle: sheet, name: name, workbook: self)
    }

    /// Ends it: the file stands there whole.
    package func close() throws(WorkbookError) {
        let workbook = try unsafe handle()
        for sheet in sheets { try sheet.flush(path) }
        try checkSpace()
        unsafe open = nil
        sheets = []
        try WorkbookError.check(unsafe workbook_close(workbook), "write the workbook \(path)")
    }

    /// The library's own, while it is open.
    func handle() throws(WorkbookError) -> UnsafeMutablePointer<lxw_workbook> {
        guard let workbook = unsafe open else {
            throw WorkbookError(.library, "the workbook \(path) is already closed")
        }
        return unsafe workbook
    }

    var isOpen: Bool { unsafe open != nil }

    func format(_ style: CellStyle) -> UnsafeMutablePointer<lxw_format>? { unsafe formats[style.rawValue] }

    /// The library does not look whether there is space for what it puts together, either.
    private func checkSpace() throws(WorkbookError) {
        var disk = statvfs()
        guard unsafe statvfs(temporaryFolder, &disk) == 0 else {
            throw WorkbookError(.disk, "cannot see the space in \(temporaryFolder) for \(path)")
        }
        let needed = sheets.reduce(0) { $0 + $1.byteCount }
        guard UInt64(disk.f_bavail) * UInt64(disk.f_frsize) > needed else {
            throw WorkbookError(.disk, "cannot write the workbook \(path): it needs \(needed) bytes there meanwhile")
        }
    }

    private func set(
        _ properties: Properties, of workbook: UnsafeMutablePointer<lxw_workbook>
    ) throws(WorkbookError) {
        let title = unsafe strdup(properties.title)
        let comment = unsafe strdup(properties.comment)
        defer {
            unsafe free(title)
            unsafe free(comment)
        }
        var given = unsafe lxw_doc_properties()
        unsafe subledger_set_texts(&given, title, comment)
        unsafe given.created = properties.created
        try WorkbookError.check(unsafe workbook_set_properties(workbook, &given), "describe the workbook \(path)")
    }
}

/// A sheet whose rows are on their way to the disk.
///
/// The workbook owns what it points to.
@safe
private struct WrittenSheet {
    let handle: UnsafeMutablePointer<lxw_worksheet>

    /// The library does not look whether its rows reached the disk.
    func flush(_ path: String) throws(WorkbookError) {
        guard let rows = unsafe handle.pointee.optimize_tmpfile else { return }
        guard unsafe fflush(rows) == 0, unsafe ferror(rows) == 0 else {
            throw WorkbookError(.disk, "cannot keep the rows of \(path): \(unsafe String(cString: strerror(errno)))")
        }
    }

    /// Of its rows so far.
    var byteCount: UInt64 {
        guard let rows = unsafe handle.pointee.optimize_tmpfile else { return 0 }
        return UInt64(max(unsafe ftello(rows), 0))
    }

    /// Ends what keeps its rows.
    func abandon() {
        if let rows = unsafe handle.pointee.optimize_tmpfile { unsafe fclose(rows) }
    }
}
