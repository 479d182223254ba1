// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird

/// For whoever drives the store from another process; loopback only, like all it serves.
extension StoreServer {
    private struct ClockCommand: Decodable {
        let micros: Int64
    }

    func addControls(to router: Router<BasicRequestContext>) {
        router.post("sim/clock") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 10)
            desk.front.setClock(try JSONDecoder().decode(ClockCommand.self, from: Data(Array(buffer: body))).micros)
            return HTTPResponse.Status.noContent
        }
        router.get("sim/registrations") { request, _ in
            let query = request.uri.queryParameters
            guard let since = query["since"].flatMap({ Int64($0) }), let until = query["until"].flatMap({ Int64($0) })
            else { throw HTTPError(.badRequest) }
            return try SimulatedStores.jsonLines(desk.front.registrations(since: since, until: until))
        }
    }
}
