// SPDX-License-Identifier: Apache-2.0

import Model

extension StatusReport {
    /// An app's last night and last issue, however many other runs came since.
    package struct Night: Sendable, Encodable {
        package let appID: String
        /// Nil where no night of it was ever sealed.
        package let runID: Int64?
        package let businessDate: String?
        package let logicalNow: String?
        /// `finished`, `late` or `stopped`.
        package let end: String?
        /// Of one that is late or stopped.
        package let reason: String?
        /// A night of it has a living leader.
        package let isUnderWay: Bool
        package let newDeadLetters: Int64
        package let issueBusinessDate: String?
        package let issuedAt: String?
        package let issuePath: String?

        init(_ app: BatchFacts.App) {
            appID = app.appID
            (runID, businessDate) = (app.lastNight?.runID, app.lastNight?.businessDate)
            logicalNow = app.lastNight?.logicalNow.iso8601
            (end, reason) = Self.words(of: app.lastNight?.end)
            isUnderWay = app.isUnderWay
            newDeadLetters = app.newDeadLetters
            (issueBusinessDate, issuePath) = (app.lastIssue?.businessDate, app.lastIssue?.path)
            issuedAt = app.lastIssue?.issuedAt.iso8601
        }

        private static func words(of end: BatchFacts.Night.End?) -> (end: String?, reason: String?) {
            switch end {
            case .finished: ("finished", nil)
            case .late(let reason): ("late", reason)
            case .stopped(let reason): ("stopped", reason)
            case nil: (nil, nil)
            }
        }
    }
}
