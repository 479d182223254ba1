// SPDX-License-Identifier: Apache-2.0

import Foundations
package import Model
internal import Signing

extension Receipt {
    /// The name a bare receipt is registered under until an answer of the store lists what is in it.
    package static func placeholder(for receipt: String) -> String {
        placeholderPrefix + Hex.encode(SHA256.digest(of: receipt)).prefix(32)
    }
}
