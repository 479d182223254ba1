// SPDX-License-Identifier: Apache-2.0

import Model

/// What a job does that meets an open run of one of its apps.
///
/// Pure.
enum Meeting: Hashable, Sendable {
    /// A night of its own apps is at work: nothing is gained by waiting.
    case refused
    /// A short run, or a night of other apps besides: it ends, and then it is this job's turn.
    case waits
    /// An intake and an open night, whether its leader lives or not: it books its purchases under the night's run.
    case worksBeside
    /// An intake and a night that is sealed: what that still writes are reports.
    case passes
    /// A dead run of the same job, apps and business date: this job goes on with it.
    case resumes
    /// A dead run of anything else: what it wrote is sealed, and this job goes on after it.
    case closes

    init(of request: RunRequest, with run: OpenRun) {
        let isNight = run.job == Run.Job.nightly.rawValue
        if isNight, request.job == .intake {
            self = run.isSealed ? .passes : .worksBeside
        } else if run.isLeased {
            self = isNight && run.apps.isSubset(of: request.apps) ? .refused : .waits
        } else {
            self = run.isHalf(of: request) ? .resumes : .closes
        }
    }
}

extension OpenRun {
    /// What a process left of the same job, apps and business date.
    ///
    /// A run that asks everything goes on with none that does not. A night that is sealed is over, and the next one
    /// owes its report; a report's run is there for its issue alone, which says all that is known unless something was
    /// sealed since.
    fileprivate func isHalf(of request: RunRequest) -> Bool {
        job == request.job.rawValue && businessDate == request.businessDate.description && apps == Set(request.apps)
            && (!isSealed || request.job == .report && isLastSealed) && (isAudit || !request.isAudit)
    }
}
