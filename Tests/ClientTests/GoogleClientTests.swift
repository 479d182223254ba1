// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreSimulator
import TestSupport
import Testing

/// Google's `google-api-python-client` reads the simulated Google Play, and every answer fits the discovery document that
/// it carries.
@Suite(.hangLimit) struct GoogleClientTests {
    private struct Given: Encodable {
        let base_url, ca_file, service_account_file, package_name, unknown_order: String
        let tokens: [String]
        let now_ms: Int64
    }

    private struct Reported: Decodable {
        struct Money: Decodable {
            let currencyCode: String
            let units: String?
            let nanos: Int64?

            var micros: Int64 { (units.flatMap { Int64($0) } ?? 0) * 1_000_000 + (nanos ?? 0) / 1_000 }
        }

        let states: [String: Int]
        let orders: [String: Money]
        let voided: [String]
        let unfit: [String]
        let unknown_token: Int
        let batch_with_an_unknown_id: Int
    }

    @Test
    func `Google's client reads what the simulated books say, and all fits its discovery document`() async throws {
        let app = SimulatedApp.play(
            id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount)
        try await ClientWorld.with(app, customers: 150) { world in
            let reported: Reported = try await PythonProgram.run(
                "ClientTests/Clients/google_play.py",
                given: Given(
                    base_url: world.stores.baseURL, ca_file: world.authority,
                    service_account_file: try world.setting("service_account_file"),
                    package_name: try world.setting("package_name"), unknown_order: "GPA.0000-0000-0000-00000",
                    tokens: try world.boughtAndAlive, now_ms: ClientWorld.now / 1_000),
                environment: ["REQUESTS_CA_BUNDLE": world.authority])
            #expect(reported.unfit == [])
            #expect(reported.unknown_token == 404 || reported.unknown_token == 400)
            #expect(reported.batch_with_an_unknown_id == 404 || reported.batch_with_an_unknown_id == 400)
            #expect(reported.states.keys.count >= 5, "too few states to prove anything: \(reported.states)")
            let booked = Dictionary(grouping: world.stores.books.transactions(.happened), by: \.transactionID)
            #expect(reported.orders.count > 100)
            for (id, total) in reported.orders {
                #expect(booked[id]?.reduce(0) { $0 + ($1.priceMicros ?? 0) } == total.micros, "the total of \(id)")
                #expect(booked[id]?.first?.currency == total.currencyCode)
            }
            let takenBack = Set(reported.voided)
            #expect(!takenBack.isEmpty)
            for id in takenBack { #expect(booked[id]?.first?.refundKind == .full, "\(id) was voided") }
        }
    }
}
