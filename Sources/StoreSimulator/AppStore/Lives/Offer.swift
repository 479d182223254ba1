// SPDX-License-Identifier: Apache-2.0

/// The offer a period was bought under.
package struct Offer: Hashable, Sendable {
    package enum Kind: Int, Hashable, Sendable {
        case introductory = 1
        case promotional = 2
        case code = 3
        case winBack = 4
        case retention = 5
    }

    package enum Discount: String, Hashable, Sendable {
        case freeTrial = "FREE_TRIAL"
        case payAsYouGo = "PAY_AS_YOU_GO"
        case payUpFront = "PAY_UP_FRONT"
        /// Off the price of something that is sold once.
        case oneTime = "ONE_TIME"
    }

    package var kind: Kind
    package var discount: Discount
    /// The offer's name; introductory offers have none.
    package var identifier: String?
    /// The length of one period of the offer.
    package var term: Term

    package init(_ kind: Kind, _ discount: Discount, identifier: String? = nil, term: Term) {
        self.kind = kind
        self.discount = discount
        self.identifier = identifier
        self.term = term
    }
}
