// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StoreFront {
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
    /// The books write nothing of what it tells: a notification is a hint that makes its reader ask, and only what is
    /// answered then is known to be so.
    func notifications(
        _ body: [UInt8], token: String?, app: SimulatedApp, in environment: StoreEnvironment
    ) throws -> DeskAnswer {
        guard app.hasNotificationURL else { return .failure(404, .noNotificationURL) }
        guard let query = try? JSONDecoder().decode(NotificationQuery.self, from: Data(body)) else {
            return .failure(400, .noStartDate)
        }
        let now = clock
        if let failure = query.failure(at: now, keeping: Self.keeping(environment)) { return .failure(400, failure) }
        guard let skipped = Self.place(token) else { return .failure(400, .unknownPage) }
        guard skipped.at >= now - Self.tokenLife else { return .failure(400, .expiredPage) }
        let wanted = notices(of: app, in: environment, by: now).filter { query.wants($0, at: now) }
        let rest = wanted.dropFirst(skipped.count)
        let page = rest.prefix(Self.pageSize)
        let hasMore = rest.count > page.count
        return try .json(
            ServerAnswers.Notifications(
                paginationToken: hasMore ? Self.token(skipping: skipped.count + page.count, at: now) : nil,
                hasMore: hasMore,
                notificationHistory: try page.map { try entry($0, app, now) }))
    }

    private func entry(
        _ notice: Notice, _ app: SimulatedApp, _ now: Int64
    ) throws -> ServerAnswers.Notifications.Entry {
        ServerAnswers.Notifications.Entry(
            signedPayload: try keys.sign(notice, to: customers[notice.customer], of: app),
            sendAttempts: notice.attempts(by: now).map {
                .init(attemptDate: $0.at / 1_000, sendAttemptResult: $0.result)
            })
    }

    private func notices(of app: SimulatedApp, in environment: StoreEnvironment, by now: Int64) -> ArraySlice<Notice> {
        let all = noticesByApp[app.id] ?? []
        let sent = all.prefix { $0.at <= now }
        return sent.first.map { customers[$0.customer].environment } == environment ? sent : []
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

    /// Every notice of every app, in the order they are sent.
    static func notices(of customers: [CustomerLife]) -> [String: [Notice]] {
        var notices: [String: [Notice]] = [:]
        for (number, customer) in customers.enumerated() {
            notices[customer.appID, default: []] += customer.notices().map { notice in
                var placed = notice
                placed.customer = number
                return placed
            }
        }
        return notices.mapValues { $0.sorted { ($0.at, $0.customer, $0.number) < ($1.at, $1.customer, $1.number) } }
    }
}

extension StoreFront.NotificationQuery {
    /// What is wrong with it, by the store's own codes.
    func failure(at now: Int64, keeping: Int64) -> ServerAnswers.Failure? {
        guard let startDate else { return .noStartDate }
        guard let endDate else { return .noEndDate }
        // The edge itself is refused.
        if startDate * 1_000 <= now - keeping { return .tooLongAgo }
        if startDate > endDate { return .endsBeforeStart }
        if transactionId != nil && (notificationType != nil || notificationSubtype != nil) { return .twoFilters }
        if notificationType == nil && notificationSubtype != nil { return .unknownType }
        return nil
    }

    func wants(_ notice: Notice, at now: Int64) -> Bool {
        guard let startDate, let endDate, notice.at >= startDate * 1_000, notice.at < endDate * 1_000 else {
            return false
        }
        if let transactionId, !notice.isAbout(transactionId) { return false }
        if let notificationType, notice.type != notificationType { return false }
        if let notificationSubtype, notice.subtype != notificationSubtype { return false }
        return onlyFailures != true || !notice.isDelivered(by: now)
    }
}
