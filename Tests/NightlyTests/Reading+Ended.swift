// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension Reading {
    /// All that was asked about ended a day ago: never to be asked again.
    static func ended(_ inquiry: Inquiry, archive: [ArchivedDocument] = []) -> Reading {
        let status = ObservedStatus(
            state: .expired, productID: "monthly", autoRenew: false, expiresAt: ChunkWorld.march - .days(1),
            endReason: .voluntary, sourceVersion: ChunkWorld.march)
        let observations = inquiry.subscriptions.map {
            Observation(storeKey: $0.storeKey, environment: .production, status: status, periods: [])
        }
        return Reading(observations: observations, archive: archive)
    }
}
