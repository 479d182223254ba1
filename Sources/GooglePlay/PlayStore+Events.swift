// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

extension PlayStore {
    /// The store lists no older ones.
    private static let longestLook = Span.days(30)
    /// Its window is about when it saw the return, which may be later than the return itself: windows overlap.
    private static let overlap = Span.days(2)
    /// Pages of one look at most: a million purchases.
    private static let mostPages = 1_000

    /// Purchases that were refunded or revoked since the last look: hints, their orders give the amounts.
    ///
    /// The window ends at the store's own now, and so does what was read: it refuses an end in its future, which a clock
    /// of ours that is a little fast would name.
    func events(since: Instant?, through client: ThrottledClient) async throws(StoreFailure) -> StoreEvents {
        let oldest = readAt - Self.longestLook
        let start = max(since.map { $0 - Self.overlap } ?? oldest, oldest)
        var items: [StoreEvents.Item] = []
        do throws(StoreFailure) {
            var storeTime: Instant?
            do throws(StoreFailure) {
                storeTime = try await voided(from: start, into: &items, through: client)
            } catch {
                // A run that began a while ago: by the store's clock the window is older than it allows.
                guard error.kind == .notFound, start == oldest, items.isEmpty else { throw error }
                storeTime = try await voided(from: start + .days(1), into: &items, through: client)
            }
            return StoreEvents(readUntil: min(readAt, storeTime ?? readAt), items: items.uniqued())
        } catch {
            guard !error.stopsApp else { throw error }
            // What was read counts; the next run looks at the same window again.
            client.warn(
                "voided purchases could not be read to the end (\(error.reason)); the next run tries again")
            return StoreEvents(readUntil: nil, items: items.uniqued())
        }
    }

    /// Returns the store's clock at the first page.
    private func voided(
        from start: Instant, into items: inout [StoreEvents.Item], through client: ThrottledClient
    ) async throws(StoreFailure) -> Instant? {
        let window = "startTime=\(start.milliseconds)&type=1&maxResults=1000&includeQuantityBasedPartialRefund=true"
        var (token, pages, storeTime): (String?, Int, Instant?) = (nil, 0, nil)
        repeat {
            let query = window + (token.map { "&token=\(URLPath.encode(segment: $0))" } ?? "")
            let response = try await connection.get(
                "\(applicationPath)/purchases/voidedpurchases?\(query)",
                route: "/applications/{package}/purchases/voidedpurchases", at: PlayEndpoints.voidedPurchases,
                through: client)
            guard let page = VoidedPage(json: response.body) else {
                throw .unreadableByPlay
            }
            items += page.items
            storeTime = storeTime ?? response.date.map { Instant(milliseconds: $0 * 1_000) }
            pages += 1
            guard page.nextToken != token || token == nil, pages < Self.mostPages else { throw .endlessPages }
            token = page.nextToken
        } while token != nil
        return storeTime
    }
}

/// One page of `purchases.voidedpurchases.list`.
///
/// Source and reason are not read: the order has what is needed.
private struct VoidedPage: JSONReadable {
    private struct Entry: JSONReadable {
        let purchaseToken: Secret?
        let orderID: String?

        init(_ fields: Fields) {
            purchaseToken = fields.text("purchaseToken").map(Secret.init)
            orderID = fields.text("orderId")
        }
    }

    let items: [StoreEvents.Item]
    let nextToken: String?

    init(_ fields: Fields) {
        let entries: [Entry?] = fields.list("voidedPurchases") ?? []
        items = entries.compactMap { entry in
            entry?.purchaseToken.map { StoreEvents.Item(storeKey: $0, transactionID: entry?.orderID) }
        }
        nextToken = fields.object("tokenPagination")?.text("nextPageToken")
    }
}

extension [StoreEvents.Item] {
    fileprivate func uniqued() -> [StoreEvents.Item] {
        var seen: Set<StoreEvents.Item> = []
        return filter { seen.insert($0).inserted }
    }
}

extension StoreFailure {
    fileprivate static let endlessPages = StoreFailure(
        .unreadable, reason: "endless_pages", message: "The pages of voided purchases do not end, or go in a circle.")
}
