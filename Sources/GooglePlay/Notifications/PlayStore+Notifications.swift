// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension PlayStore {
    func hint(in notification: RawNotification) throws(NotificationRefusal) -> Hint {
        try NotificationReader(packageName: packageName).hint(in: notification)
    }

    func pull(since: Instant, until: Instant, through client: ThrottledClient) -> (any NotificationPull)? {
        pubSub.map { PubSubPull($0, through: client) }
    }

    func readable(_ notification: RawNotification) -> [UInt8]? { NotificationText.readable(notification) }
}
