// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Model
internal import Signing

extension CertificateFacts {
    /// What is to be found of a file of certificates.
    package static func read(_ key: String, at path: String, now: Instant) -> CertificateFacts {
        let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
        return CertificateFacts(key: key, bytes: bytes, of: path, now: now)
    }

    /// The same of its bytes; `name`: what is said of it in its place.
    package init(key: String, bytes: [UInt8], of name: String, now: Instant) {
        let end = (try? CertificateFile.end(of: bytes)).map { Instant(milliseconds: $0) }
        self.init(key: key, path: name, end: end, now: now)
    }
}
