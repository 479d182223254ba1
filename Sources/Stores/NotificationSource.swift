// SPDX-License-Identifier: Apache-2.0

/// Which of the stores' notifications a payload is.
package enum NotificationSource: String, Sendable, CaseIterable {
    case appStoreV1 = "app_store_v1"
    case appStoreV2 = "app_store_v2"
    /// Google Play's real-time developer notifications, through Pub/Sub.
    case playRTDN = "play_rtdn"
}
