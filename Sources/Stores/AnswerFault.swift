// SPDX-License-Identifier: Apache-2.0

/// Reasons why an answer, or a row of it, is set aside that something follows from: a setting may be wrong, or a purchase another app's.
///
/// The raw value is the word for the tables.
package enum AnswerFault: String, Sendable {
    case malformedJSON = "malformed_json"
    case missingBundle = "missing_bundle"
    case notAboutRequest = "not_about_request"
    /// A purchase is registered with a receipt that it is not in.
    case notInReceipt = "not_in_receipt"
    case notVerified = "not_verified"
    case wrongAppAppleID = "wrong_app_apple_id"
    case wrongBundle = "wrong_bundle"
    case wrongEnvironment = "wrong_environment"
}
