// SPDX-License-Identifier: Apache-2.0

package import Model

extension StoreFailure {
    /// The sentence that says that an app stops, and names it once.
    package func sentence(stopping app: AppID) -> String { Self.sentence(stopping: app.rawValue, because: message) }

    /// The same of a message that may be such a sentence already, of this app or of another one with the same credential.
    package static func sentence(stopping app: String, because message: String) -> String {
        guard !message.hasPrefix("App \(app) "), !message.hasPrefix("App \(app):") else { return message }
        let reason = message.prefixMatch(of: /App \S+ stops(?: for tonight)?[:.]\s/).map {
            message[$0.range.upperBound...]
        }
        return "App \(app) stops: \(reason ?? message[...])"
    }
}
