// SPDX-License-Identifier: Apache-2.0

import HTTP
import Logging
import Model
import Synchronization

/// The clients of a job: each has a thread and connections, so that a few apps have one each, and thousands share a fixed number.
final class SharedClients: Sendable {
    private let plan: ClientPlan
    private let logger: Logger
    private let made = Mutex<[ClientPlan.Place: HTTPClient]>([:])

    init(_ plan: ClientPlan, logger: Logger) {
        self.plan = plan
        self.logger = logger
    }

    /// The client of an app, which is made when it is first asked for.
    func client(of app: AppConfiguration) -> HTTPClient {
        let place = plan.place(of: app)
        return made.withLock { made in
            if let client = made[place] { return client }
            let client = HTTPClient(place.configuration, logger: logger)
            made[place] = client
            return client
        }
    }
}
