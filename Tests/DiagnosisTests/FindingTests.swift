// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import Diagnosis

/// What is said of facts, line by line; no test asks anybody.
@Suite struct FindingTests {
    @Test func `a finding is one line, whatever is in it`() {
        #expect("\(Finding.fine("disk", "much"))" == "fine     disk: much")
        #expect("\(Finding.toDo("disk", "make\nroom"))" == "to do    disk: make room")
        #expect("\(Finding.skipped("disk", "x"))" == "skipped  disk: x")
    }

    @Test func `only what is to be done needs a person`() {
        #expect(![Finding.fine("a", "b"), .skipped("a", "b")].needsAction)
        #expect([Finding.fine("a", "b"), .toDo("a", "b")].needsAction)
    }

    @Test func `a configuration is fine, or has a line for each file that cannot be used`() {
        #expect(
            ConfigurationFacts(path: "s.yaml", apps: 1).findings == [
                .fine("configuration", "s.yaml, 1 app; its key files can be used")
            ])
        let problems = ["s.yaml:8: apps[0].private_key_file names key.p8, which is empty", "s.yaml:20: x"]
        let found = ConfigurationFacts(path: "s.yaml", apps: 2, problems: problems).findings
        #expect(found == problems.map { .toDo("configuration", $0) })
    }

    @Test func `others may read a configuration unless it has a password, and never write it`() {
        #expect(!ConfigurationFacts(path: "s", apps: 1, isReadable: true).findings.needsAction)
        let readable = ConfigurationFacts(path: "s", apps: 1, hasPassword: true, isReadable: true).findings
        #expect(readable.map(\.verdict) == [.toDo] && readable[0].text.contains("chmod 600"))
        let writable = ConfigurationFacts(path: "s", apps: 1, isWritable: true).findings
        #expect(writable.map(\.verdict) == [.toDo] && writable[0].text.contains("chmod o-w"))
    }

    private static let app = AppID("acme-ios")

    private static func finding(_ answer: EndpointProbe.Answer) -> Finding? {
        StoreFacts(app: app, outcome: .probed([EndpointProbe(endpoint: "statuses", answer: answer)])).findings.first
    }

    @Test func `a store's refusal is said in its own advice, without the app's name a second time`() {
        let failure = StoreFailure(
            .credential, reason: "http_401", message: "App acme-ios stops: the App Store refuses its credentials.")
        #expect(
            Self.finding(.refused(failure))
                == .toDo("app acme-ios, statuses", "the App Store refuses its credentials."))
        #expect(
            Self.finding(.accepted(remark: "of receipts only"))
                == .fine("app acme-ios, statuses", "the store answers; of receipts only"))
    }

    @Test func `a store that does not answer is a matter of the network, a lack of slices one of the database`() {
        let silent = Self.finding(.refused(StoreFailure(.transient, reason: "http_503", message: "It failed.")))
        #expect(silent?.verdict == .toDo && silent?.text.contains("network") == true)
        let refused = Self.finding(.refused(StoreFailure(.notFound, reason: "invalid", message: "A token is wrong.")))
        #expect(refused?.text.hasPrefix("the store took the key and refuses the question itself (invalid)") == true)
        let slices = Self.finding(.refused(StoreFailure(.storeDown, reason: "no_slice", message: "No share.")))
        #expect(slices == .skipped("app acme-ios, statuses", "No share."))
        let skipped = StoreFacts(app: Self.app, outcome: .skipped("later")).findings
        #expect(skipped == [.skipped("app acme-ios", "later")])
        let unusable = StoreFacts(app: Self.app, outcome: .unusable("App acme-ios stops: no key.")).findings
        #expect(unusable == [.toDo("app acme-ios", "no key.")])
    }

    /// RULINGS: a job does not begin ten minutes off the database's clock; tokens live by the store's, to the minute.
    @Test(
        arguments: [
            (-600, 0, 0), (601, 0, 1), (0, 60, 0), (0, -61, 1), (601, 61, 2),
        ] as [(Int64, Int64, Int)])
    func `a clock is compared with the database's and the stores'`(database: Int64, store: Int64, toDo: Int) {
        let facts = ClockFacts(
            database: ClockFacts.Other(name: "the database", ahead: .seconds(database)),
            stores: [ClockFacts.Other(name: "the store", ahead: .seconds(store))])
        #expect(facts.findings.count { $0.verdict == .toDo } == toDo)
        #expect(facts.findings.count == max(toDo, 1))
    }

    @Test func `a wrong clock is said with its direction, and a simulated one is compared with none`() {
        let ahead = ClockFacts(stores: [ClockFacts.Other(name: "the store", ahead: .minutes(5))]).findings
        #expect(ahead.first?.text.hasPrefix("this machine's is 5 min ahead of the store") == true)
        let behind = ClockFacts(stores: [ClockFacts.Other(name: "the store", ahead: .minutes(-5))]).findings
        #expect(behind.first?.text.hasPrefix("this machine's is 5 min behind the store") == true)
        #expect(
            ClockFacts(stores: [ClockFacts.Other(name: "s", ahead: .days(9))], isSimulated: true).findings
                .map(\.verdict) == [.fine])
        #expect(ClockFacts().findings.map(\.verdict) == [.skipped])
    }

    @Test(
        arguments: [
            (-1, Finding.Verdict.toDo), (0, .toDo), (30, .toDo), (31, .fine),
        ] as [(Int64, Finding.Verdict)])
    func `a certificate that ends within 30 days is named`(days: Int64, verdict: Finding.Verdict) {
        let now = Instant(micros: 1_767_579_300_000_000)
        let facts = CertificateFacts(key: "ca_file", path: "ca.pem", end: now + .days(days), now: now)
        #expect(facts.finding.verdict == verdict)
        #expect(facts.finding.text.hasPrefix("ca.pem (ca_file)"))
    }

    @Test func `a file without a certificate is named`() {
        let bytes = Array("no certificate".utf8)
        let facts = CertificateFacts(key: "ca_file", bytes: bytes, of: "ca.pem", now: Instant(micros: 0))
        #expect(facts.end == nil && facts.finding.verdict == .toDo)
    }
}
