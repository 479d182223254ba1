// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import Diagnosis

/// What is said of a server, its rights and settings, of fees, rates and the last night.
@Suite struct DatabaseFindingTests {
    private static func server(_ rights: RightFacts = RightFacts(mayCreate: true, hasTemp: true)) -> ServerFacts {
        ServerFacts(version: "15.20", database: "billing", role: "etl", rights: rights, settings: SettingFacts())
    }

    private static func verdicts(_ server: ServerFacts) -> [Finding.Verdict] { server.findings.map(\.verdict) }

    @Test func `a server that is fine has a line for each part`() {
        let found = Self.server().findings
        #expect(found.map(\.about) == ["database", "rights", "settings", "time zone"])
        #expect(!found.needsAction)
        #expect(found.first?.text == "PostgreSQL 15.20, database billing, role etl")
    }

    @Test func `a server that cannot be reached is one thing to do, and the rest is skipped`() {
        let found = DatabaseFacts.unavailable("database.url: password authentication failed").findings
        #expect(found.map(\.verdict) == [.toDo, .skipped])
        #expect(DatabaseFacts.notMadeYet.findings.map(\.verdict) == [.fine])
    }

    @Test func `a standby, another encoding and an unknown zone are named`() {
        var standby = Self.server()
        standby.isStandby = true
        #expect(standby.findings.first?.text.contains("name the primary") == true)
        var latin = Self.server()
        latin.encoding = "LATIN1"
        #expect(latin.findings.first?.verdict == .toDo && latin.findings.first?.text.contains("UTF8") == true)
        var zone = Self.server()
        zone.zoneProblem = "update tzdata"
        #expect(zone.findings.contains(.toDo("time zone", "update tzdata")))
    }

    @Test func `a new database needs CREATE or three schemas, and TEMP`() {
        func found(_ mayCreate: Bool, temp: Bool, schemas: Bool = false) -> [Finding] {
            RightFacts(mayCreate: mayCreate, hasTemp: temp, hasSchemas: schemas).findings(of: "etl", in: "billing")
        }
        #expect(found(true, temp: true).map(\.verdict) == [.fine])
        #expect(found(false, temp: true, schemas: true).map(\.verdict) == [.fine])
        #expect(found(false, temp: true).first?.text.contains("grant create on database billing to etl") == true)
        #expect(found(true, temp: false).first?.text.contains("grant temporary on database billing to etl") == true)
        #expect(found(false, temp: false).count == 2)
    }

    @Test func `a schema is this version's, is brought there by the next job, or is in the way`() {
        func found(_ outstanding: Int, obstacle: String? = nil, temp: Bool = true) -> [Finding] {
            RightFacts(mayCreate: false, hasTemp: temp, owner: "owner", outstanding: outstanding, obstacle: obstacle)
                .findings(of: "etl", in: "billing")
        }
        #expect(found(0).map(\.verdict) == [.fine, .fine])
        #expect(found(3).first?.text.hasPrefix("3 files of this version are not applied yet") == true)
        #expect(found(0, obstacle: "grant subledger_night to etl") == [.toDo("schema", "grant subledger_night to etl")])
        #expect(found(0, temp: false).map(\.verdict) == [.fine, .toDo])
    }

    @Test func `settings that endanger the books are to be mended, others are named without their values`() {
        #expect(SettingFacts(isSynchronized: false).findings.first?.text.contains("fsync = on") == true)
        #expect(SettingFacts(writesFullPages: false).findings.needsAction)
        #expect(SettingFacts(replicationRole: "replica").findings.needsAction)
        #expect(!SettingFacts(isSynchronized: false, writesFullPages: false, isTrial: true).findings.needsAction)
        let chosen = SettingFacts(
            synchronousCommit: "off", ofRoleAndDatabase: ["synchronous_commit", "work_mem", "statement_timeout"]
        ).findings
        #expect(chosen.map(\.verdict) == [.fine])
        #expect(chosen.first?.text.contains("yours to choose") == true)
        #expect(chosen.first?.text.hasSuffix("statement_timeout, work_mem") == true)
    }

    @Test(arguments: [(4, Finding.Verdict.fine), (3, .toDo)] as [(Int64, Finding.Verdict)])
    func `a night needs its connections free`(free: Int64, verdict: Finding.Verdict) {
        let finding = ConnectionFacts(needed: 4, free: free, limit: 20, limitedBy: "role").finding
        #expect(finding.verdict == verdict)
        #expect(finding.text.hasPrefix("a night takes up to 4, free now are \(free) of the role's 20"))
    }

    /// 2026-06-01 and 180 days are 2026-11-28.
    @Test(arguments: [("2026-11-28", false), ("2026-11-29", true), ("2026-01-04", false)])
    func `fees that were compared more than 180 days ago are in doubt`(day: String, isOld: Bool) throws {
        let facts = ReferenceFacts(
            feesComparedOn: try #require(BusinessDate("2026-06-01")), businessDate: try #require(BusinessDate(day)))
        #expect(facts.findings.needsAction == isOld)
        #expect(facts.findings.count == 2)
    }

    @Test func `exchange rates that ended are named with the command`() throws {
        let day = try #require(BusinessDate("2026-06-01"))
        let facts = ReferenceFacts(
            feesComparedOn: day, businessDate: day, staleRates: [.init(currency: "GBP", newest: "2026-04-30")])
        #expect(
            facts.findings.last
                == .toDo("exchange rates", "those of GBP end on 2026-04-30: subledger import fx FILE"))
    }

    /// RULINGS §5: 24 h and the night's length beside the buffer.
    @Test(
        arguments: [
            (26, 120, nil), (26, 121, "27h"), (24, 1, "25h"), (48, 300, nil),
        ] as [(Int64, Int64, String?)])
    func `a buffer that a day and a night exceed is to be longer`(hours: Int64, minutes: Int64, advice: String?) {
        let facts = NightFacts(
            businessDate: "2026-01-04", length: .minutes(minutes), age: .hours(1), buffer: .hours(hours))
        #expect(facts.finding.verdict == (advice == nil ? .fine : .toDo))
        if let advice { #expect(facts.finding.text.hasSuffix("set grace_buffer: \(advice)")) }
    }
}
