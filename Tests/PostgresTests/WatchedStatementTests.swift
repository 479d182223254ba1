// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Postgres

/// What is done about a statement without an answer, by what a look for its session finds.
@Suite struct WatchedStatementTests {
    private static let start = ContinuousClock.now

    private static func statement(isCancellable: Bool = true) -> WatchedStatement {
        WatchedStatement(
            RunningStatement(ticket: 1, name: "load/stage.sql", started: start, isCancellable: isCancellable),
            limits: WaitingLimits())
    }

    /// What each look says, as one comes by one at these seconds.
    private static func steps(
        _ statement: WatchedStatement, _ looks: [(seconds: Int, finding: SessionFinding)]
    ) -> [WatchedStatement.Step] {
        var statement = statement
        return looks.map { statement.next(after: $0.finding, at: start + .seconds($0.seconds)) }
    }

    private static func isWait(_ step: WatchedStatement.Step) -> Bool {
        if case .wait = step { true } else { false }
    }

    @Test func `a look is due after ten seconds and then every minute`() {
        var statement = Self.statement()
        let due = (0...200).filter { statement.isDue(at: Self.start + .seconds($0)) }
        #expect(due == [10, 70, 130, 190])
    }

    @Test func `one that others block is given up after twice ten minutes, and its wait names them`() {
        let steps = Self.steps(
            Self.statement(), [10, 610, 1_190, 1_200].map { ($0, .blocked("process 7 holds locks")) })
        #expect(steps.dropLast() == Array(repeating: .wait("process 7 holds locks"), count: 3)[...])
        #expect(steps.last == .giveUp("process 7 holds locks"))
    }

    @Test func `the time of one that is blocked begins with its last work`() {
        let steps = Self.steps(
            Self.statement(), [(1_000, .atWork("IO DataFileRead")), (2_100, .blocked("b")), (2_200, .blocked("b"))])
        #expect(Self.isWait(steps[0]) && steps[1] == .wait("b") && steps[2] == .giveUp("b"))
    }

    @Test func `a COMMIT that others block is waited for without end`() {
        let steps = Self.steps(Self.statement(isCancellable: false), [(100_000, .blocked("b"))])
        #expect(steps == [.wait("b")])
    }

    @Test func `one that the server works on is waited for without end`() {
        let steps = Self.steps(Self.statement(), [(10, .atWork("w")), (36_000, .atWork("w"))])
        #expect(steps.allSatisfy(Self.isWait))
    }

    @Test(arguments: [SessionFinding.silent, .unreachable("no route")])
    func `without a sign of it on the server its connection is cut after ten minutes`(finding: SessionFinding) {
        let steps = Self.steps(Self.statement(), [(10, finding), (599, finding), (600, finding)])
        #expect(Self.isWait(steps[0]) && Self.isWait(steps[1]))
        guard case .reconnect = steps[2] else { return #expect(Bool(false), "\(steps[2])") }
    }

    @Test func `ten minutes of silence begin with the last sign of it`() {
        let steps = Self.steps(
            Self.statement(), [(500, .blocked("b")), (700, .silent), (1_090, .silent), (1_100, .silent)])
        #expect(steps.prefix(3).allSatisfy(Self.isWait))
        #expect(!Self.isWait(steps[3]))
    }

    @Test func `a session that is gone is not waited for`() {
        #expect(!Self.isWait(Self.steps(Self.statement(), [(10, .gone)])[0]))
    }

    @Test func `a server that cannot be asked is no reason to cut what it may be working on`() {
        #expect(Self.isWait(Self.steps(Self.statement(), [(36_000, .notAsked("too many clients"))])[0]))
    }
}
