// SPDX-License-Identifier: Apache-2.0

import Hummingbird
package import StoreSimulator

extension SimulatedStores {
    /// Makes keys and customers and begins to serve on loopback.
    ///
    /// - Throws: `SimulatorError` when `openssl` or the port fails.
    package static func start(_ configuration: SimulatorConfiguration) async throws -> SimulatedStores {
        try await start(configuration) { handler, announce in
            let server = StoreServer(
                handler: handler, directory: configuration.directory, port: configuration.port,
                cache: configuration.remembersAnswers ? AnswerCache() : nil)
            try await server.application(announcing: announce).run()
        }
    }
}
