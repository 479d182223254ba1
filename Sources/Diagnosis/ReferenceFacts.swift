// SPDX-License-Identifier: Apache-2.0

import Foundations
package import Model

/// How old the facts are that amounts are estimated and converted with.
package struct ReferenceFacts: Sendable {
    /// Rates of a currency in use that ended.
    package struct Rate: Sendable {
        package var currency: String
        package var newest: String

        package init(currency: String, newest: String) { (self.currency, self.newest) = (currency, newest) }
    }

    /// Fees that were compared longer ago are in doubt.
    private static let longestWithoutComparison = 180

    /// When the stores' fees were compared with their pages.
    package var feesComparedOn: BusinessDate
    package var businessDate: BusinessDate
    package var staleRates: [Rate]

    package init(feesComparedOn: BusinessDate, businessDate: BusinessDate, staleRates: [Rate] = []) {
        (self.feesComparedOn, self.businessDate, self.staleRates) = (feesComparedOn, businessDate, staleRates)
    }

    var findings: [Finding] { [fees] + rates }

    private var fees: Finding {
        let compared = "the stores' fees were last compared with their pages on \(feesComparedOn)"
        guard age > Self.longestWithoutComparison else { return .fine("fees", compared) }
        return .toDo(
            "fees",
            "\(compared), \(age) days ago: install a newer version, or give what changed by subledger import commission-rules "
                + "FILE")
    }

    private var age: Int {
        guard let compared = CivilDate(iso: feesComparedOn.description),
            let today = CivilDate(iso: businessDate.description)
        else { return 0 }
        return today.daysSinceUnixEpoch - compared.daysSinceUnixEpoch
    }

    private var rates: [Finding] {
        guard !staleRates.isEmpty else { return [.fine("exchange rates", "none that is needed has ended")] }
        return staleRates.map { rate in
            .toDo("exchange rates", "those of \(rate.currency) end on \(rate.newest): subledger import fx FILE")
        }
    }
}
