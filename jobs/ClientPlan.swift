// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model

/// Which apps share a client: none, as long as there is one for each.
///
/// Pure.
struct ClientPlan {
    /// One of a job's clients.
    struct Place: Hashable {
        /// What its apps have in common.
        let kind: Kind
        let number: Int
        /// So many apps share it.
        let sharers: Int
    }

    struct Kind: Hashable {
        let version: HTTPVersion
        let authorityFile: String?
        let maxInFlight: Int
        /// Over HTTP/1.1 a request has a connection to itself, and what one app waits for would be in another's way.
        let onlyOf: AppID?

        init(_ app: AppConfiguration) {
            version = app.httpVersion
            authorityFile = app.authorityFile
            maxInFlight = app.maxInFlight
            onlyOf = app.httpVersion == .http2 ? nil : app.id
        }
    }

    /// Of one kind.
    static let mostClients = 64

    private let places: [AppID: Place]

    init(_ apps: [AppConfiguration]) {
        var places: [AppID: Place] = [:]
        for (kind, apps) in Dictionary(grouping: apps, by: Kind.init) {
            let sharers = (apps.count + Self.mostClients - 1) / Self.mostClients
            for (index, app) in apps.enumerated() {
                places[app.id] = Place(kind: kind, number: index / sharers, sharers: sharers)
            }
        }
        self.places = places
    }

    /// An app that the plan does not know has a client of its own.
    func place(of app: AppConfiguration) -> Place {
        places[app.id] ?? Place(kind: Kind(app), number: -1, sharers: 1)
    }
}

extension ClientPlan.Place {
    /// As many requests at once as its apps may have together: a slow one takes no other's room.
    var configuration: HTTPClientConfiguration {
        HTTPClientConfiguration(
            version: kind.version, certificateAuthorityFile: kind.authorityFile,
            maximumConcurrentStreams: kind.maxInFlight * sharers)
    }
}
