// SPDX-License-Identifier: Apache-2.0

import Model
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

    /// The answer itself is not signed; what it says of its app must fit all the same.
    func check(against app: AppStoreConfiguration, environment asked: PurchaseEnvironment) throws(UnreadableAnswer) {
        if let bundleID, bundleID != app.bundleID {
            throw UnreadableAnswer(.wrongBundle, message: "The answer is about another app.")
        }
        if let environment, environment != asked.storeName {
            throw UnreadableAnswer(
                .wrongEnvironment, message: "The answer is not of the environment that was asked.")
        }
        if asked == .production, let ours = app.appAppleID, let theirs = appAppleID, ours != theirs {
            throw UnreadableAnswer(.wrongAppAppleID, message: "The answer is about another app_apple_id.")
        }
    }
}
