// SPDX-License-Identifier: Apache-2.0

import Model

/// An app that its store stopped, in one sentence that names it once.
enum StoppedText {
    static func line(_ app: String, _ message: String) -> String {
        message.hasPrefix("App \(app) ") || message.hasPrefix("App \(app):") ? message : "App \(app) stops: \(message)"
    }
}
