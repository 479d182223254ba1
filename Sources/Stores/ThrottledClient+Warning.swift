// SPDX-License-Identifier: Apache-2.0

import Logging

extension ThrottledClient {
    /// Tells the owner what a store's room noticed while it talked. The sentence must hold nothing secret.
    package func warn(_ sentence: String) { logger.warning("\(sentence)", metadata: ["app": "\(appID)"]) }
}
