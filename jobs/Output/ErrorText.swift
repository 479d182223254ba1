// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model

/// What an error says to people: the program's own have a sentence, the system's are given one.
enum ErrorText {
    static func sentence(_ error: any Error) -> String {
        guard isOfSystem(error) else { return "\(error)" }
        let path = (error as NSError).userInfo[NSFilePathErrorKey] as? String
        return "\(path.map { "\($0): " } ?? "the system refused: ")\(SystemReason.of(error))"
    }

    private static func isOfSystem(_ error: any Error) -> Bool {
        type(of: error) is NSError.Type || error is CocoaError || error is POSIXError
    }
}
