// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension TransformStage {
    /// The rows of each subscription that are set aside once an answer was taken: those it holds, and those of earlier
    /// answers that it does not book.
    ///
    /// Nearly always none.
    ///
    /// `first`: where the answer's own begin in `rows.setAside`.
    /// `sales`: the one-time sales that the answer shows, in `rows.transactions`.
    func rowsSetAside(
        of subjects: [ObservedSubscription], from first: Int, sales: Range<Int>, into rows: inout ChunkRows
    ) -> [SubscriptionKey: [RowSetAside]] {
        let isAnyKnown = subjects.contains { $0.due?.rowsSetAside.isEmpty == false }
        guard first < rows.setAside.count || isAnyKnown else { return [:] }
        let taken = Set(
            subjects.flatMap { $0.periods.map(\.transactionID) } + rows.transactions[sales].map(\.transactionID))
        drop(taken, from: first, of: &rows)
        let met = Dictionary(grouping: rows.setAside[first...].filter { $0.transactionID != nil }, by: \.key)
        let affected = subjects.filter { $0.due?.rowsSetAside.isEmpty == false || met[$0.key] != nil }
        var open: [SubscriptionKey: [RowSetAside]] = [:]
        for subject in affected {
            let causes = met[subject.key] ?? []
            open[subject.key] =
                causes.map { letter(about: $0, of: subject) } + absent(of: subject, causes, taken, into: &rows)
        }
        return open
    }

    /// A row that the same answer shows in a form that can be taken.
    ///
    /// Google Play's lines share the id of their order: there another line was taken.
    private func drop(_ taken: Set<String>, from first: Int, of rows: inout ChunkRows) {
        guard kind == .appStore else { return }
        let own = rows.setAside[first...].filter { cause in cause.transactionID.map { !taken.contains($0) } ?? true }
        rows.setAside.replaceSubrange(first..., with: own)
    }

    private func letter(about cause: SetAside, of subject: ObservedSubscription) -> RowSetAside {
        let known = subject.due?.rowsSetAside.first { $0.isAbout(cause) }
        return known?.looked(at: now)
            ?? RowSetAside(
                transactionID: cause.transactionID ?? SetAside.unidentified, reason: cause.reason,
                detail: cause.detail, nights: 1, since: now, lastLookAt: now)
    }

    /// Those of earlier answers that this one neither holds nor books.
    ///
    /// Where they were looked for they count as met: the store leaves them out.
    private func absent(
        of subject: ObservedSubscription, _ causes: [SetAside], _ taken: Set<String>, into rows: inout ChunkRows
    ) -> [RowSetAside] {
        guard let due = subject.due else { return [] }
        let absent = due.rowsSetAside.filter { letter in
            !taken.contains(letter.transactionID) && !causes.contains(where: letter.isAbout)
        }
        // A receipt is read whole each time.
        guard due.looksForRowsSetAside || due.receipt != nil else { return absent }
        if !subject.hasMoreHistory { rows.readWhole.insert(subject.key) }
        let sought = absent.filter { subject.hasMoreHistory || $0.transactionID != SetAside.unidentified }
        rows.setAside += sought.map { letter in
            SetAside(
                key: subject.key, stage: "transform", reason: letter.reason, detail: letter.detail,
                transactionID: letter.transactionID)
        }
        return sought.map { $0.looked(at: now) }
    }

    /// What is set aside of a subscription that is not registered stands under the one that was asked.
    func attributeSetAside(
        _ setAside: inout ArraySlice<SetAside>, to subjects: [ObservedSubscription], _ context: AnswerContext
    ) {
        guard !setAside.isEmpty else { return }
        let registered = Set(subjects.map(\.key) + context.due.map(\.key))
        // A placeholder is about to go.
        let home = context.asker.isPlaceholder ? subjects.map(\.key).min() : nil
        for index in setAside.indices {
            let cause = setAside[index]
            // It stays where it was set aside before, whatever else this answer shows.
            if let owner = context.due.first(where: { $0.rowsSetAside.contains { $0.isAbout(cause) } }) {
                setAside[index].key = owner.key
            } else if !registered.contains(cause.key) {
                setAside[index].key = home ?? context.asker.key
            }
        }
    }
}

extension RowSetAside {
    fileprivate func isAbout(_ cause: SetAside) -> Bool {
        cause.transactionID == transactionID && cause.reason == reason
    }
}
