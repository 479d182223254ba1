// SPDX-License-Identifier: Apache-2.0

import CXLSXWriter

/// Why a workbook could not be written.
package struct WorkbookError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The file, or what is kept aside until it is finished, cannot be written.
        case disk
        /// What was asked for fits into no workbook: too many rows or columns, a name that sheets may not have.
        case limits
        /// Memory ran out, or the workbook was used after its end.
        case library
    }

    package let code: Code
    /// The sentence: what failed, on what, why.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension WorkbookError {
    /// Throws what the library answered, unless it went well.
    static func check(_ outcome: lxw_error, _ work: @autoclosure () -> String) throws(WorkbookError) {
        guard outcome != LXW_NO_ERROR else { return }
        throw WorkbookError(code(of: outcome), "cannot \(work()): \(reason(of: outcome))")
    }

    private static func reason(of outcome: lxw_error) -> String {
        guard let text = unsafe lxw_strerror(outcome) else { return "libxlsxwriter error \(outcome.rawValue)" }
        let sentence = unsafe String(cString: text)
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    private static func code(of outcome: lxw_error) -> Code {
        switch outcome {
        case LXW_ERROR_CREATING_XLSX_FILE, LXW_ERROR_CREATING_TMPFILE, LXW_ERROR_READING_TMPFILE,
            LXW_ERROR_ZIP_FILE_OPERATION, LXW_ERROR_ZIP_FILE_ADD, LXW_ERROR_ZIP_CLOSE:
            .disk
        case LXW_ERROR_MEMORY_MALLOC_FAILED, LXW_ERROR_ZIP_PARAMETER_ERROR, LXW_ERROR_ZIP_BAD_ZIP_FILE,
            LXW_ERROR_ZIP_INTERNAL_ERROR, LXW_ERROR_NULL_PARAMETER_IGNORED:
            .library
        default: .limits
        }
    }
}
