// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores
import TestSupport

@testable import AppStore

/// A store whose certificates a test may choose: the right ones, and those of a forger under the same root.
struct Signers: Sendable {
    static let shared = Result { try Signers() }

    /// A certificate with the chain above it and its key.
    struct Signer: Sendable {
        let chain: [[UInt8]]
        let key: ES256Signer
    }

    let root: [UInt8]
    /// Valid until 2025-10-11.
    let expired: Signer
    let good: Signer
    /// Issued by the right authority, without the marker of those who sign for the store.
    let developer: Signer

    init() throws {
        let workshop = try CertificateWorkshop()
        let root = try workshop.root()
        let middle = try workshop.intermediate(by: root, validity: .long)
        func signer(oid: String?, validity: CertificateWorkshop.Validity) throws -> Signer {
            let leaf = try workshop.leaf(by: middle, oid: oid, validity: validity)
            return Signer(
                chain: [leaf.der, middle.der, root.der], key: try ES256Signer(pem: workshop.tool.read(leaf.keyFile)))
        }
        self.root = root.der
        expired = try signer(oid: CertificateWorkshop.leafOID, validity: .signer)
        good = try signer(oid: CertificateWorkshop.leafOID, validity: .long)
        developer = try signer(oid: nil, validity: .long)
    }

    /// A row in compact form; its x5c as it is said here.
    func sign(_ row: [String: Any], by signer: Signer, chain: [[UInt8]]? = nil) throws -> String {
        try JSONWebToken.encode(
            header: [:], certificates: chain ?? signer.chain, payload: try Rows.json(row), signer: signer.key)
    }

    /// Reads an answer whose only row is this one; the refusal's reason, or nil where it was taken.
    func refusal(of compact: String, environment: PurchaseEnvironment = .production) throws -> String? {
        var configuration = try Acme.configuration()
        guard case .server(var server) = configuration.api else { return "no server" }
        server.rootCertificate = root
        configuration.api = .server(server)
        let store = try configuration.store(clock: { Acme.now })
        let body = try Rows.statuses(
            [["status": 1, "originalTransactionId": "2001", "signedTransactionInfo": compact]], ["environment": nil])
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [Acme.due()]), environment: environment,
            documents: [StoreAnswer.Document(endpoint: "statuses", body: body)], answeredAt: Acme.now)
        do throws(UnreadableAnswer) {
            return try store.read(answer).setAside.first?.reason
        } catch {
            return error.reason
        }
    }
}

/// Answers whose entry says one thing and whose rows may say another.
enum SigningStoreRows {
    static func entry(
        status: Int, id: String, _ transaction: [String: Any], _ renewal: [String: Any]?
    ) throws -> [UInt8] {
        let store = try SigningStore.shared.get()
        return try body(
            status: status, id: id, signed: try store.sign(transaction), renewal: try renewal.map(store.sign))
    }

    static func body(status: Int = 1, id: String = "2001", signed: String?, renewal: String?) throws -> [UInt8] {
        var entry: [String: Any] = ["status": status, "originalTransactionId": id]
        entry["signedTransactionInfo"] = signed
        entry["signedRenewalInfo"] = renewal
        return try Rows.statuses([entry])
    }
}

extension Acme {
    /// One for all readings: making one takes longer than reading.
    private static let reader = Result { try configuration().store(clock: { now }) }

    /// Reads an answer; only its own refusal is thrown.
    static func reading(
        of statuses: [UInt8], history: [[UInt8]] = []
    ) throws(UnreadableAnswer) -> Reading {
        guard case .success(let store) = reader else {
            throw UnreadableAnswer(reason: "no_store", message: "The test has no store.")
        }
        let documents =
            [StoreAnswer.Document(endpoint: "statuses", body: statuses)]
            + history.map { StoreAnswer.Document(endpoint: "history", body: $0) }
        return try store.read(
            StoreAnswer(
                inquiry: Inquiry(subscriptions: [due()]), environment: .production, documents: documents,
                answeredAt: now))
    }
}
