// SPDX-License-Identifier: Apache-2.0

import HTTP
import Logging
import Model
import Runs
import Stores

extension Store {
    /// The app of a store of the test's own, which makes no requests.
    var app: StoreApp {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: appID,
            quota: Quota(Pace(requestsPerSecond: 50, published: 50)), maxInFlight: 1, budget: SharedRetryBudget(),
            logger: logger)
        return StoreApp(
            id: appID, environment: .production, defaultCountry: nil, store: self,
            client: client, maxInFlight: 1)
    }
}
