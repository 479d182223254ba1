// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Model
internal import Signing

extension CertificateFacts {
    /// What is to be found of a file of certificates.
    package static func read(_ key: String, at path: String, now: Instant) -> CertificateFacts {
        let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
        let end = (try? CertificateFile.end(of: bytes)).map { Instant(milliseconds: $0) }
        return CertificateFacts(key: key, path: path, end: end, now: now)
    }
}
