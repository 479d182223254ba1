// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing

@testable import Runs

/// Who meets whom: what a job does that needs an app of an open run.
@Suite struct MeetingTests {
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let date = "2026-03-09"
    private static let jobs: [Run.Job] = [.nightly, .notifications, .intake, .report, .import]

    private static func request(_ job: Run.Job, _ apps: String, isAudit: Bool = false) -> RunRequest {
        RunRequest(
            job, apps: apps.map { AppID(String($0)) }, now: now + .hours(1),
            businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt), isAudit: isAudit)
    }

    private static func run(
        _ job: Run.Job, _ apps: String, lives: Bool, of date: String = date, isSealed: Bool = false,
        isLastSealed: Bool = false,
        isAudit: Bool = false
    ) -> OpenRun {
        OpenRun(
            id: 1, job: job.rawValue, businessDate: date, now: now, generation: 1,
            apps: Set(apps.map { AppID(String($0)) }), isAudit: isAudit, isSealed: isSealed, isLastSealed: isLastSealed,
            leasedUntil: lives ? now + .minutes(1) : nil, isLeased: lives, description: "a run")
    }

    /// A night does the work of its own apps; one of another app besides may have begun long ago, and what is asked here is more.
    @Test(arguments: jobs)
    func `a night of the job's own apps refuses it, and one of other apps besides is waited for`(job: Run.Job) {
        let own = [("a", "a"), ("ab", "ab"), ("ab", "a")]
        for (apps, nights) in own where job != .intake {
            #expect(Meeting(of: Self.request(job, apps), with: Self.run(.nightly, nights, lives: true)) == .refused)
            let sealed = Self.run(.nightly, nights, lives: true, isSealed: true)
            #expect(Meeting(of: Self.request(job, apps), with: sealed) == .refused)
        }
        for (apps, nights) in [("a", "ab"), ("ab", "bc")] where job != .intake {
            #expect(Meeting(of: Self.request(job, apps), with: Self.run(.nightly, nights, lives: true)) == .waits)
        }
    }

    @Test func `an intake works beside an open night, whether its leader lives or not, and passes one that is sealed`()
    {
        for (apps, nights) in [("a", "a"), ("ab", "a"), ("a", "ab")] {
            for lives in [true, false] {
                let request = Self.request(.intake, apps)
                #expect(Meeting(of: request, with: Self.run(.nightly, nights, lives: lives)) == .worksBeside)
                let sealed = Self.run(.nightly, nights, lives: lives, isSealed: true)
                #expect(Meeting(of: request, with: sealed) == .passes)
            }
        }
    }

    @Test(arguments: jobs, jobs)
    func `every job waits for any other run than a night`(job: Run.Job, met: Run.Job) {
        guard met != .nightly else { return }
        for (apps, others) in [("a", "a"), ("ab", "a"), ("a", "ab")] {
            for isSealed in [false, true] {
                let run = Self.run(met, others, lives: true, isSealed: isSealed)
                #expect(Meeting(of: Self.request(job, apps), with: run) == .waits)
            }
        }
    }

    @Test func `a dead run is resumed by the same job, apps and date, and closed by any other`() {
        let half = Self.run(.nightly, "ab", lives: false)
        #expect(Meeting(of: Self.request(.nightly, "ab"), with: half) == .resumes)
        #expect(Meeting(of: Self.request(.nightly, "a"), with: half) == .closes)
        #expect(Meeting(of: Self.request(.nightly, "abc"), with: half) == .closes)
        #expect(Meeting(of: Self.request(.import, "ab"), with: half) == .closes)
        let sealed = Self.run(.nightly, "ab", lives: false, isSealed: true)
        #expect(Meeting(of: Self.request(.nightly, "ab"), with: sealed) == .closes)
        // Its issue may be in its place, and nothing in the database says so.
        let report = Self.run(.report, "ab", lives: false, isSealed: true, isLastSealed: true)
        #expect(Meeting(of: Self.request(.report, "ab"), with: report) == .resumes)
        let overtaken = Self.run(.report, "ab", lives: false, isSealed: true)
        #expect(Meeting(of: Self.request(.report, "ab"), with: overtaken) == .closes)
        #expect(Meeting(of: Self.request(.nightly, "ab"), with: report) == .closes)
        let earlier = Self.run(.nightly, "ab", lives: false, of: "2026-03-08")
        #expect(Meeting(of: Self.request(.nightly, "ab"), with: earlier) == .closes)
        let intake = Self.run(.intake, "a", lives: false)
        #expect(Meeting(of: Self.request(.intake, "a"), with: intake) == .resumes)
        #expect(Meeting(of: Self.request(.intake, "ab"), with: intake) == .closes)
    }

    @Test func `a night that asks everything goes on with none that does not, and one that does not goes on with it`() {
        let (plain, audit) = (
            Self.run(.nightly, "a", lives: false), Self.run(.nightly, "a", lives: false, isAudit: true)
        )
        #expect(Meeting(of: Self.request(.nightly, "a", isAudit: true), with: plain) == .closes)
        #expect(Meeting(of: Self.request(.nightly, "a", isAudit: true), with: audit) == .resumes)
        #expect(Meeting(of: Self.request(.nightly, "a"), with: audit) == .resumes)
    }
}
