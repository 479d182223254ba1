// SPDX-License-Identifier: Apache-2.0

import Stores

/// An app that its store stopped, in one sentence that names it once.
enum StoppedText {
    static func line(_ app: String, _ message: String) -> String {
        StoreFailure.sentence(stopping: app, because: message)
    }
}
