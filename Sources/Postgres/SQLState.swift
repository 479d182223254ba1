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

    /// Retry what passes by itself, set aside what is wrong with one record, stop for the rest.
    var disposition: PostgresError.Disposition {
        switch text {
        case "40001", "40P01", "57P01", "57P02", "57P03", "25006", "53300", "55P03": return .retry
        default: break
        }
        switch errorClass {
        case "08": return .retry
        case "22", "23": return .setAside
        default: return .stop
        }
    }
}
