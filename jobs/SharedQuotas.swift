// SPDX-License-Identifier: Apache-2.0

import AppStore
import GooglePlay
import Model
import Stores

/// The quotas of the configured apps: apps whose calls their store counts together share one pace, the slowest that was
/// configured for any of them.
struct SharedQuotas {
    /// Whose calls are counted together.
    private enum Name: Hashable {
        /// The owner's word.
        case named(StoreKind, String)
        /// Google Play counts by Cloud project; one credential is of one project.
        case credential(GoogleCredential)
        /// The App Store counts by app.
        case app(AppID)
    }

    private let quotas: [AppID: Quota]

    init(_ apps: [AppConfiguration]) {
        var quotas: [AppID: Quota] = [:]
        for group in Dictionary(grouping: apps, by: Self.name).values {
            guard let slowest = group.map(\.requestsPerSecond).min(), let kind = group.first?.kind else { continue }
            let quota = Quota(Pace(requestsPerSecond: slowest, published: Self.publishedRate(of: kind)))
            for app in group { quotas[app.id] = quota }
        }
        self.quotas = quotas
    }

    func quota(of app: AppConfiguration) -> Quota {
        quotas[app.id]
            ?? Quota(Pace(requestsPerSecond: app.requestsPerSecond, published: Self.publishedRate(of: app.kind)))
    }

    private static func name(of app: AppConfiguration) -> Name {
        if let quota = app.quota { return .named(app.kind, quota) }
        return switch app.store {
        case .appStore: .app(app.id)
        case .googlePlay(let configuration): .credential(GoogleCredential(configuration, app))
        }
    }

    private static func publishedRate(of kind: StoreKind) -> Double {
        switch kind {
        case .appStore: AppStoreConfiguration.publishedRequestsPerSecond
        case .googlePlay: GooglePlayConfiguration.publishedRequestsPerSecond
        }
    }
}
