// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Signing
import Stores

/// Reads an app's subscriptions through the App Store Server API: statuses first, the history when it is needed.
struct AppStoreServer: Store {
    let appID: AppID
    let kind = StoreKind.appStore
    let refundWatchDays = RefundWatch.appStoreDays
    let reportsRefunds = true
    let configuration: AppStoreConfiguration
    let server: AppStoreConfiguration.Server
    let tokens: ServerTokens
    let verifier: JWSVerifier
    let classifier: ServerResponseClassifier
    /// The wall clock.
    let clock: @Sendable () -> Instant

    /// - Throws: `credential`, when the key or the root certificate cannot be used.
    init(
        _ configuration: AppStoreConfiguration, server: AppStoreConfiguration.Server,
        clock: @escaping @Sendable () -> Instant
    ) throws(StoreFailure) {
        self.appID = configuration.appID
        self.configuration = configuration
        self.server = server
        self.tokens = try ServerTokens(server, bundleID: configuration.bundleID, appID: configuration.appID)
        self.verifier = try Self.verifier(root: server.rootCertificate, appID: configuration.appID)
        self.classifier = ServerResponseClassifier(appID: configuration.appID)
        self.clock = clock
    }

    /// One for each subscription, each once.
    func inquiries(for due: [DueSubscription]) -> [Inquiry] {
        var seen: Set<Secret> = []
        return due.filter { seen.insert($0.storeKey).inserted }.map { Inquiry(subscriptions: [$0]) }
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        let rows = RowVerifier(
            verifier: verifier, bundleID: configuration.bundleID, environment: answer.environment,
            answeredAt: answer.answeredAt)
        var reader = ServerReader(answer: answer, configuration: configuration, rows: rows)
        return try reader.read()
    }

    /// The marks of Apple's signers; the root is the owner's to name.
    private static func verifier(root: [UInt8], appID: AppID) throws(StoreFailure) -> JWSVerifier {
        do throws(SigningError) {
            return try JWSVerifier(
                policy: ChainPolicy(
                    roots: [root], leafOID: "1.2.840.113635.100.6.11.1", intermediateOID: "1.2.840.113635.100.6.2.1"))
        } catch {
            throw StoreFailure(
                .credential, reason: "root_certificate", message: "App \(appID) stops: root_certificate_file: \(error)")
        }
    }
}
