// SPDX-License-Identifier: Apache-2.0

import Model

extension Span {
    /// In its largest unit that is not a fraction of one: `25 min`, `31 h`, `4 days`.
    var words: String {
        let seconds = micros / 1_000_000
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<259_200: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

extension Int64 {
    /// Bytes for people, rounded down: `3 GB`, `256 MB`.
    var bytesInWords: String {
        self >= 10 << 30 ? "\(self >> 30) GB" : self >= 1 << 20 ? "\(self >> 20) MB" : "\(self >> 10) kB"
    }
}
