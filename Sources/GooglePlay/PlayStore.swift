// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// Reads an app's purchases through the Android Publisher API: the status of each, and its orders for the money.
struct PlayStore: CompletingStore {
    let appID: AppID
    let kind = StoreKind.googlePlay
    /// No store event reports a refund that leaves the access alone: orders are looked at again.
    let refundWatchDays = RefundWatch.googlePlayDays
    /// The public key of purchase signatures, base64.
    let licenceKey: String?
    let interface: any PlayInterface
    /// Older purchases are of other products, whose ids are unknown: the newer interface asks without.
    let linkInterface = PlayV2()
    let connection: PlayConnection
    let orders: OrderRequests
    /// `/androidpublisher/v3/applications/{package}`, encoded.
    let applicationPath: String
    let packageName: String
    /// Where notifications are fetched from.
    let pubSub: PubSub?
    /// The run's logical now.
    let readAt: Instant

    init(
        _ configuration: GooglePlayConfiguration, readAt: Instant, tokens: AccessTokens, pubSub: PubSub? = nil,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.appID = configuration.appID
        self.packageName = configuration.packageName
        self.licenceKey = configuration.licenceKey
        self.interface =
            switch configuration.api {
            case .v1: PlayV1()
            case .v2: PlayV2()
            }
        self.applicationPath =
            "/androidpublisher/v3/applications/\(URLPath.encode(segment: configuration.packageName))"
        self.connection = PlayConnection(
            baseURL: configuration.baseURL,
            requests: AuthorizedRequests(tokens: tokens, appID: configuration.appID),
            classifier: PlayResponseClassifier(appID: configuration.appID), clock: clock)
        self.orders = OrderRequests(connection: connection, applicationPath: applicationPath)
        self.pubSub = pubSub
        self.readAt = readAt
    }

    /// One for each purchase, each once.
    func inquiries(for due: [DueSubscription]) -> [Inquiry] {
        var seen: Set<Secret> = []
        return due.filter { seen.insert($0.storeKey).inserted }.map { Inquiry(subscriptions: [$0]) }
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        if let due = answer.inquiry.subscriptions.first, due.isSale {
            return SoldOrderReader(answer, of: due, readAt: readAt).read()
        }
        var reader = AnswerReader(answer, interface: interface, linkInterface: linkInterface, readAt: readAt)
        return try reader.read()
    }
}
