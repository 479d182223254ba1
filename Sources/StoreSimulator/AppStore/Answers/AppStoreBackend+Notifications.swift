// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AppStoreBackend {
    /// How long notifications are kept: 180 days, and 30 in the sandbox.
    private static func keeping(_ environment: StoreEnvironment) -> Int64 {
        (environment == .production ? 180 : 30) * CivilTime.day
    }

    struct NotificationQuery: Decodable {
        let startDate: Int64?
        let endDate: Int64?
        let notificationType: String?
        let notificationSubtype: String?
        let transactionId: String?
        let onlyFailures: Bool?
    }

    /// Get Notification History: the whole app's, the oldest first, twenty a page.
    ///
    /// The books write nothing of what it reports until an answer follows: a notification is a hint that makes its reader ask. What it
    /// shows of a row whose change it is about counts then.
    func notifications(_ body: [UInt8], token: String?, for reader: AppStoreReader) throws -> StoreResponse {
        guard reader.app.hasNotificationURL else { return .failure(404, .noNotificationURL) }
        guard let query = try? JSONDecoder().decode(NotificationQuery.self, from: Data(body)) else {
            return .failure(400, .noStartDate)
        }
        let now = clock
        if let failure = query.failure(at: now, keeping: Self.keeping(reader.environment)) {
            return .failure(400, failure)
        }
        guard let skipped = Self.place(token) else { return .failure(400, .unknownPage) }
        guard skipped.at >= now - Self.tokenLife else { return .failure(400, .expiredPage) }
        let rest = sent(to: reader, by: now).filter { query.wants($0, at: now) }.dropFirst(skipped.count)
        let page = rest.prefix(Self.pageSize)
        let hasMore = rest.count > page.count
        tell(page, to: reader)
        return try .json([
            "hasMore": hasMore, "notificationHistory": try page.map { try entry($0, of: reader.app, at: now) },
            "paginationToken": hasMore ? Self.token(skipping: skipped.count + page.count, at: now) : nil,
        ])
    }

    private func entry(_ sent: AppStoreNotification, of app: SimulatedApp, at now: Int64) throws -> WireObject {
        let attempts = sent.attempts(by: now).map { attempt -> WireObject in
            ["attemptDate": attempt.at.milliseconds, "sendAttemptResult": attempt.result]
        }
        let payload = try keys.sign(sent, to: customers[sent.customer], of: app)
        return ["signedPayload": payload, "sendAttempts": attempts]
    }

    private func sent(to reader: AppStoreReader, by now: Int64) -> ArraySlice<AppStoreNotification> {
        let sent = (notificationsByApp[reader.app.id] ?? []).prefix { $0.at <= now }
        return sent.first.map { customers[$0.customer].environment } == reader.environment ? sent : []
    }

    /// A token is good for a day of the store's clock.
    private static let tokenLife = CivilTime.day

    private static func token(skipping count: Int, at now: Int64) -> String {
        Data("page_\(count)_\(now)".utf8).base64EncodedString()
    }

    /// Nil for a token that no answer ever gave out; none is the first page.
    private static func place(_ token: String?) -> (count: Int, at: Int64)? {
        guard let token else { return (0, .max) }
        guard let data = Data(base64Encoded: token) else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: "_")
        guard parts.count == 3, parts[0] == "page", let count = Int(parts[1]), let at = Int64(parts[2]) else {
            return nil
        }
        return (count, at)
    }

    /// Every notification of every app, in the order they are sent.
    static func notifications(of customers: [CustomerLife]) -> [String: [AppStoreNotification]] {
        var sent: [String: [AppStoreNotification]] = [:]
        for (number, customer) in customers.enumerated() {
            sent[customer.appID, default: []] += customer.notifications(ofCustomer: number)
        }
        return sent.mapValues { $0.sorted { ($0.at, $0.customer, $0.number) < ($1.at, $1.customer, $1.number) } }
    }
}

extension AppStoreBackend.NotificationQuery {
    /// What is wrong with it, by the store's own codes.
    func failure(at now: Int64, keeping: Int64) -> AppStoreFailure? {
        guard let startDate else { return .noStartDate }
        guard let endDate else { return .noEndDate }
        // The edge itself is refused.
        if startDate * 1_000 <= now - keeping { return .tooLongAgo }
        if startDate > endDate { return .endsBeforeStart }
        if transactionId != nil && (notificationType != nil || notificationSubtype != nil) { return .twoFilters }
        if notificationType == nil && notificationSubtype != nil { return .unknownType }
        return nil
    }

    func wants(_ sent: AppStoreNotification, at now: Int64) -> Bool {
        guard let startDate, let endDate else { return false }
        return sent.at >= startDate * 1_000 && sent.at < endDate * 1_000
            && (transactionId.map(sent.isAbout) ?? true) && (notificationType ?? sent.type) == sent.type
            && (notificationSubtype == nil || notificationSubtype == sent.subtype)
            && (onlyFailures != true || !sent.isDelivered(by: now))
    }
}
