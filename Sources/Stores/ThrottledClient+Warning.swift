// SPDX-License-Identifier: Apache-2.0

import Logging

extension ThrottledClient {
    /// Logs a warning for the owner about the exchange with a store.
    ///
    /// The sentence must hold nothing secret.
    package func warn(_ sentence: String) { logger.warning("\(sentence)", metadata: ["app": "\(appID)"]) }
}
