// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Model
import Stores

/// Fetches an app's notifications from Get Notification History: a day's window at a time, page by page, so that little
/// is read again when a page's token has run out.
struct NotificationHistory: NotificationPull {
    /// Windows overlap by this much: a notification may be listed a while after its time.
    static let overlap = Span.hours(2)
    private static let window = Span.days(1)

    private let store: AppStoreServer
    private let client: ThrottledClient
    private let until: Instant
    private var windowStart: Instant
    private var token: String?
    private var hasRestarted = false

    init(of store: AppStoreServer, since: Instant, until: Instant, through client: ThrottledClient) {
        // The store keeps them for 180 and 30 days, and refuses to begin at the edge itself.
        let retention = Span.days(store.configuration.environment == .production ? 179 : 29)
        self.store = store
        self.client = client
        self.until = until
        self.windowStart = max(since - Self.overlap, until - retention)
    }

    mutating func next() async throws(StoreFailure) -> NotificationBatch? {
        while windowStart.milliseconds < until.milliseconds {
            let end = min(windowStart + Self.window, until)
            guard let page = try await page(upTo: end) else { continue }
            if page.hasMore {
                guard let next = page.token, next != token else { throw .endlessNotifications }
                token = next
            } else {
                (windowStart, token, hasRestarted) = (end, nil, false)
            }
            let notifications = page.payloads.map { RawNotification(source: .appStoreV2, payload: $0) }
            return NotificationBatch(notifications: notifications, readUntil: page.hasMore ? nil : end)
        }
        return nil
    }

    /// Nil: the page's token has run out, and the window starts again; once, so that it cannot go on for ever.
    private mutating func page(upTo end: Instant) async throws(StoreFailure) -> Page? {
        do throws(StoreFailure) {
            return try await ask(upTo: end)
        } catch {
            guard error.isStaleToken, token != nil, !hasRestarted else { throw error.asLossOfPull }
            (token, hasRestarted) = (nil, true)
            return nil
        }
    }

    private func ask(upTo end: Instant) async throws(StoreFailure) -> Page {
        let (store, environment) = (store, store.configuration.environment)
        let base = environment == .production ? store.server.productionURL : store.server.sandboxURL
        let query = token.map { "?paginationToken=\(URLPath.encode(segment: $0))" } ?? ""
        let body = "{\"startDate\":\(windowStart.milliseconds),\"endDate\":\(end.milliseconds)}"
        let response = try await client.send(
            to: AppStoreEndpoints.notificationHistory(environment),
            classify: { store.classifier.disposition(of: $0, now: store.clock()) }
        ) { () async throws(StoreFailure) in
            let token = try store.tokens.token(now: store.clock().milliseconds / 1_000)
            return HTTPRequest(
                method: .post, url: "\(base)/inApps/v1/notifications/history\(query)",
                route: "/inApps/v1/notifications/history",
                headers: [
                    ("authorization", "Bearer \(token.reveal())"), ("content-type", "application/json"),
                ], body: Array(body.utf8))
        }
        guard let page = Page(json: response.body) else {
            throw StoreFailure(
                .malformedJSON,
                message: "The App Store's answer is not the JSON it documents.")
        }
        return page
    }
}

/// One page of Get Notification History.
private struct Page: JSONReadable {
    let payloads: [Secret]
    let hasMore: Bool
    let token: String?

    init(_ fields: Fields) {
        let entries: [NotificationEnvelope?] = fields.list("notificationHistory") ?? []
        payloads = entries.compactMap { $0?.signedPayload.map(Secret.init) }
        hasMore = fields.flag("hasMore") ?? false
        token = fields.text("paginationToken")
    }
}

extension AppStoreEndpoints {
    static func notificationHistory(_ environment: PurchaseEnvironment) -> Endpoint {
        endpoint("notification_history", in: environment, for: .hint)
    }
}

extension StoreFailure {
    fileprivate var isStaleToken: Bool { errorCode == .invalidPageToken || errorCode == .expiredPageToken }

    /// An app without a notification URL has no history: it only loses the pull.
    fileprivate var asLossOfPull: StoreFailure {
        guard errorCode == .notificationURLNotFound else { return self }
        return StoreFailure(
            .notFound, because: .notificationsUnavailable,
            message: "the App Store keeps no notifications for this app (4040007): set a version 2 server URL for it "
                + "in App Store Connect to have renewals and refunds seen the same night")
    }

    fileprivate static let endlessNotifications = StoreFailure(
        .unreadable, reason: "endless_pages", message: "The pages of the notification history go in a circle.")
}
