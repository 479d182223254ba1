// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

/// What an app's store said to questions that change nothing.
package struct StoreFacts: Sendable {
    package enum Outcome: Sendable {
        case probed([EndpointProbe])
        /// Something else is to be done first.
        case skipped(String)
        /// It cannot be asked as it is configured.
        case unusable(String)
    }

    package var app: AppID
    package var outcome: Outcome

    package init(app: AppID, outcome: Outcome) { (self.app, self.outcome) = (app, outcome) }

    var findings: [Finding] {
        switch outcome {
        case .skipped(let reason): [.skipped("app \(app)", reason)]
        case .unusable(let sentence): [.toDo("app \(app)", withoutName(sentence))]
        case .probed(let probes): probes.map(finding)
        }
    }

    private func finding(_ probe: EndpointProbe) -> Finding {
        let about = "app \(app), \(probe.endpoint)"
        switch probe.answer {
        case .accepted(let remark): return .fine(about, "the store answers; \(remark)")
        case .refused(let failure) where failure.cause == .noSlice: return .skipped(about, failure.message)
        case .refused(let failure): return .toDo(about, advice(failure))
        }
    }

    /// What stops an app has its own advice; what may pass says nothing of the configuration.
    private func advice(_ failure: StoreFailure) -> String {
        let message = withoutName(failure.message)
        switch failure.kind {
        case .credential: return message
        case .notFound, .gone, .unreadable:
            // Its own sentence is about a purchase, and none was asked about.
            return
                "the store took the key and refuses the question itself (\(failure.reason)): look at this machine's clock, and at "
                + "the address that is configured"
        case .transient, .refusedForNow, .storeDown, .cancelled:
            return "\(message) Look at the network between this machine and the store, then run subledger doctor again."
        }
    }

    /// The line names the app already.
    private func withoutName(_ sentence: String) -> String {
        let name = "App \(app) stops: "
        return sentence.hasPrefix(name) ? String(sentence.dropFirst(name.count)) : sentence
    }
}
