// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport
import Testing

/// What errors say, and what they must not.
@Suite struct SigningErrorTests {
    @Test func `tokens are set aside, wrong keys and roots stop the run, a failing library is tried again`() {
        #expect(SigningError(.signatureInvalid).disposition == .setAside)
        #expect(SigningError(.algorithmRefused(nil)).disposition == .setAside)
        #expect(SigningError(.certificateNotValidAt(1)).disposition == .setAside)
        #expect(SigningError(.wrongKeyType).disposition == .stop)
        #expect(SigningError(.malformedRoot).disposition == .stop)
        #expect(SigningError(.libraryFailure).disposition == .retry)
    }

    @Test func `equality looks at the code only`() {
        #expect(SigningError(.chainBroken, detail: "a") == SigningError(.chainBroken))
        #expect(SigningError(.chainLength(2)) != SigningError(.chainLength(4)))
    }

    @Test func `a sentence names the algorithm a sender chose only as far as it is plain`() {
        #expect(SigningError(.algorithmRefused("HS256")).description.contains("“HS256”"))
        #expect(SigningError(.algorithmRefused(nil)).description.contains("missing"))
        let hostile = SigningError(.algorithmRefused("\n\u{1B}[31m" + String(repeating: "A", count: 99))).description
        #expect(!hostile.contains("\n") && !hostile.contains("\u{1B}") && !hostile.contains("AAAAAAAAAAAAAAAAA"))
    }

    @Test func `no error quotes a key, a payload or a signature`() throws {
        let store = try TestStore()
        let verifier = try JWSVerifier(policy: store.policy)
        let token = try store.token(payload: #"{"canary":"canary-payload"}"#)
        let parts = token.split(separator: ".").map(String.init)
        var sentences: [String] = []
        for bad in [token, token + "=", "\(parts[0]).\(parts[1]).", "canary-token", "\(parts[0]).canary-payload.AA"] {
            do throws(SigningError) {
                _ = try verifier.verify(bad)
                Issue.record("accepted")
            } catch {
                sentences += [error.description, String(reflecting: error)]
            }
        }
        do throws(SigningError) {
            _ = try ES256Signer(pem: Array("-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n".utf8))
            Issue.record("accepted")
        } catch {
            sentences += [error.description, String(reflecting: error)]
        }
        #expect(sentences.count == 12)
        for sentence in sentences {
            #expect(!sentence.contains("canary") && !sentence.contains(parts[1]) && !sentence.contains(parts[2]))
        }
    }
}
