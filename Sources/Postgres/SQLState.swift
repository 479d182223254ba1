// SPDX-License-Identifier: Apache-2.0

/// A server's five-character error code, and what it means for the caller.
struct SQLState: Hashable {
    let text: String

    /// The first two characters: the class of the error.
    var errorClass: Substring { text.prefix(2) }

    /// The error's kind.
    var code: PostgresError.Code {
        switch text {
        case "40001": return .serialization
        case "40P01": return .deadlock
        case "53100": return .diskFull
        case "25006": return .readOnly
        case "57014": return .cancelled
        case "57P01", "57P02", "57P03": return .connectionLost
        default: break
        }
        switch errorClass {
        case "08": return .connectionLost
        case "22": return .badValue
        case "23": return .constraintViolated
        default: return .statementFailed
        }
    }

    /// Classes of what a single record causes: a statement that meets the same row twice, data, a constraint, a view's check, a limit
    /// (an index entry that is too large, a value nested too deeply).
    private static let ofRecords: Set<Substring> = ["21", "22", "23", "44", "54"]
    /// Classes of what the server, the session or the statement itself causes, whatever is in its rows.
    private static let notOfRecords: Set<Substring> = [
        "08", "25", "26", "28", "2D", "3B", "3D", "3F", "40", "42", "53", "55", "57", "58", "72", "F0", "XX",
    ]

    /// One record may be the cause: of a class that says nothing of it, too.
    var isPerhapsOfRecord: Bool { !Self.notOfRecords.contains(errorClass) }

    /// Retry what passes by itself, set aside what is wrong with one record, stop for the rest.
    var disposition: PostgresError.Disposition {
        switch text {
        case "25P03", "40001", "40P01", "57P01", "57P02", "57P03", "25006", "53300", "55P03": return .retry
        default: break
        }
        switch errorClass {
        case "08": return .retry
        case _ where Self.ofRecords.contains(errorClass): return .setAside
        default: return .stop
        }
    }
}
