// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport
import Testing

/// How long a file of certificates is good: as long as the first of them.
@Suite struct CertificateFileTests {
    /// 2039-04-30T00:00:00Z and 2036-03-19T00:00:00Z, to the end of their last second.
    private static let (ofRoot, ofIntermediate): (Int64, Int64) = (2_187_734_400_999, 2_089_497_600_999)

    @Test func `of several certificates the first to end counts, in DER and in PEM`() throws {
        let workshop = try CertificateWorkshop()
        let root = try workshop.root()
        let intermediate = try workshop.intermediate(by: root)
        #expect(try CertificateFile.end(of: [UInt8](root.der)) == Self.ofRoot)
        let both = [UInt8](root.pem) + [UInt8](intermediate.pem)
        #expect(try CertificateFile.end(of: both) == Self.ofIntermediate)
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `what is no certificate has no end`(text: String) {
        #expect(throws: SigningError(.malformedCertificate)) { try CertificateFile.end(of: Array(text.utf8)) }
    }
}
