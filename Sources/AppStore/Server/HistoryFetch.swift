// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// Asks for the pages of one history: to its end, or as far as a night reads.
struct HistoryFetch {
    /// Pages of one history that a night reads at most, 5,000 transactions of one customer; the next ones read the rest.
    private static let longest = 250

    let server: AppStoreServer
    /// Encoded.
    let id: String
    let environment: PurchaseEnvironment
    let client: ThrottledClient

    /// The pages from the cursor on; from the beginning once, when the store does not accept the cursor any more.
    func pages(resumingAt cursor: String?) async throws(StoreFailure) -> HistoryPages {
        do throws(StoreFailure) {
            return try await pages(from: cursor)
        } catch {
            guard error.isStaleCursor else { throw error }
            return try await pages(from: nil)
        }
    }

    /// The pages from a cursor on, or from the beginning.
    func pages(from cursor: String?) async throws(StoreFailure) -> HistoryPages {
        var pages = HistoryPages()
        var revision = cursor
        while pages.documents.count < Self.longest {
            let position = try await addPage(at: revision, to: &pages)
            guard position.hasMore else { return pages }
            guard let next = position.revision, next != revision else { throw .endlessHistory }
            revision = next
        }
        return pages
    }

    private func addPage(
        at revision: String?, to pages: inout HistoryPages
    ) async throws(StoreFailure) -> HistoryPosition {
        let query = revision.map { "&revision=\(URLPath.encode(segment: $0))" } ?? ""
        let response = try await server.get(
            "/inApps/v2/history/\(id)?sort=ASCENDING\(query)", route: "/inApps/v2/history/{id}", in: environment,
            at: AppStoreEndpoints.history(environment), through: client)
        let document = StoreAnswer.Document(endpoint: AppStoreServer.DocumentName.history, body: response.body)
        let position: HistoryPosition = try AppStoreServer.read(document)
        pages.add(document, at: position, response)
        return position
    }
}

extension StoreFailure {
    fileprivate var isStaleCursor: Bool { errorCode?.disposition == .staleCursor }

    fileprivate static let endlessHistory = StoreFailure(
        .unreadable, reason: "history_in_a_circle",
        message: "The pages of the App Store's history of this subscription go in a circle.")
}
