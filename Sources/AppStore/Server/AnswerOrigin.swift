// SPDX-License-Identifier: Apache-2.0

import Stores

/// What every answer says of the app it is about.
struct AnswerOrigin {
    static let names: Set<String> = ["environment", "bundleId", "appAppleId"]

    let environment: String?
    let bundleID: String?
    let appAppleID: Int64?

    init(_ fields: Fields) {
        environment = fields.text("environment")
        bundleID = fields.text("bundleId")
        appAppleID = fields.integer("appAppleId")
    }
}
