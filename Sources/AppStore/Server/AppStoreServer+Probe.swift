// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

extension AppStoreServer {
    /// Of the right form, and no transaction's: ids of this length begin with other digits.
    static let unknownID = "100000000000000001"

    /// The statuses of an id that is not there: what the store says of the id comes after it took the key.
    func probe(through client: ThrottledClient) async -> [EndpointProbe] {
        let endpoint = AppStoreEndpoints.statuses(configuration.environment)
        return [
            await EndpointProbe.of(endpoint, remark: "it takes the key", accepting: \.isAboutTheID) {
                noting throws(StoreFailure) in
                _ = try await statuses(
                    of: Self.unknownID, in: configuration.environment, through: client, noting: noting)
            }
        ]
    }
}

extension StoreFailure {
    /// A word of the API's own about what was asked for: of the app it would be a refused credential.
    fileprivate var isAboutTheID: Bool {
        switch kind {
        case .notFound, .gone: true
        case .refusedForNow: [.originalTransactionIDNotFoundForNow, .accountNotFoundForNow].contains(errorCode)
        case .transient, .unreadable, .credential, .storeDown, .cancelled: false
        }
    }
}
