// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension PlayStore {
    /// Well before the store's own now, whose future it refuses, and within what it lists.
    private static let before = Span.hours(1)

    /// The voided purchases of one second: it takes the permission to view financial data, which a night needs most, and an access
    /// token.
    func probe(through client: ThrottledClient) async -> [EndpointProbe] {
        let start = readAt - Self.before
        let window = "startTime=\(start.milliseconds)&endTime=\((start + .seconds(1)).milliseconds)&type=1&maxResults=1"
        let probe = await EndpointProbe.of(
            PlayEndpoints.voidedPurchases,
            remark: "the account may view financial data; that it may manage orders is first seen by a night"
        ) { noting throws(StoreFailure) in
            _ = try await connection.get(
                "\(applicationPath)/purchases/voidedpurchases?\(window)",
                route: "/applications/{package}/purchases/voidedpurchases", at: PlayEndpoints.voidedPurchases,
                through: client, noting: noting)
        }
        return [probe]
    }
}
