// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport

/// A store of our own: its chain, and tokens signed by the `openssl` command line, never by the code under test.
struct TestStore: Sendable {
    /// 2024-06-01T00:00:00Z in milliseconds: inside every good certificate's validity.
    static let signedDate: Int64 = 1_717_200_000_000

    let workshop: CertificateWorkshop
    let root: CertificateWorkshop.Issued
    let intermediate: CertificateWorkshop.Issued
    let leaf: CertificateWorkshop.Issued

    init() throws {
        workshop = try CertificateWorkshop()
        root = try workshop.root()
        intermediate = try workshop.intermediate(by: root)
        leaf = try workshop.leaf(by: intermediate)
    }

    var policy: ChainPolicy { policy(roots: [root.der]) }

    func policy(roots: [[UInt8]]) -> ChainPolicy {
        ChainPolicy(
            roots: roots, leafOID: CertificateWorkshop.leafOID, intermediateOID: CertificateWorkshop.intermediateOID)
    }

    var goodChain: [String] { [leaf.base64, intermediate.base64, root.base64] }

    /// A header of the given chain and algorithm, as JSON.
    func header(_ x5c: [String]? = nil, algorithm: String? = "ES256", more: String = "") -> String {
        let chain = (x5c ?? goodChain).map { "\"\($0)\"" }.joined(separator: ",")
        let name = algorithm.map { "\"alg\":\"\($0)\"," } ?? ""
        return "{\(name)\(more)\"x5c\":[\(chain)]}"
    }

    /// A payload as the App Store writes it.
    static func payload(signedDate: Int64? = signedDate, transaction: String = "2000000123456789") -> String {
        let date = signedDate.map { ",\"signedDate\":\($0)" } ?? ""
        return "{\"transactionId\":\"\(transaction)\",\"environment\":\"Production\"\(date)}"
    }

    /// A token with a right signature of the given signer.
    func token(
        header: String? = nil, payload: String = payload(), signer: CertificateWorkshop.Issued? = nil
    ) throws -> String {
        let head = SignatureForms.base64URL((header ?? self.header()).utf8)
        let signed = head + "." + SignatureForms.base64URL(payload.utf8)
        let key = (signer ?? leaf).keyFile
        let der = try workshop.tool.sign(Array(signed.utf8), key: key, hash: "-sha256")
        return signed + "." + SignatureForms.base64URL(SignatureForms.raw(der: der))
    }
}

/// Reads `signedDate`, as the App Store's adapter will.
func signedDate(of payload: [UInt8]) -> Int64? {
    struct Dated: Decodable { let signedDate: Int64? }
    return (try? JSONDecoder().decode(Dated.self, from: Data(payload)))?.signedDate
}

extension JWSVerifier {
    /// Verifies with a fallback that no certificate of these tests is valid at.
    func verify(_ token: String) throws(SigningError) -> VerifiedJWS {
        try verify(token, fallbackValidAt: 0) { signedDate(of: $0) }
    }

    /// The code a token is refused with; nil when it is accepted.
    func refusal(of token: String) -> SigningError.Code? {
        do throws(SigningError) {
            _ = try verify(token)
            return nil
        } catch {
            return error.code
        }
    }
}
