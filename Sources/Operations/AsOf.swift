// SPDX-License-Identifier: Apache-2.0

package import Model

/// What a report is as of: an instant, or a seal, by which it is that of an issue where nights overlap and are sealed out of the
/// order of their clocks.
package enum AsOf: Hashable, Sendable, CustomStringConvertible {
    case instant(Instant)
    case seal(Int64)

    package var description: String {
        switch self {
        case .instant(let instant): instant.iso8601
        case .seal(let seal): "seal:\(seal)"
        }
    }
}
