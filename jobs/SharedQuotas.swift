// SPDX-License-Identifier: Apache-2.0

import AppStore
import GooglePlay
import Model
import Stores

/// The quotas of the configured apps: apps whose calls their store counts together share one pace, the slowest that was
/// configured for any of them.
struct SharedQuotas {
    /// Whose calls are counted together.
    private enum Group: Hashable {
        /// By the name of its quota in the database, which is derived alike on every host from no part of a secret.
        case named(String)
        /// Of a Cloud project that the credential does not name: one credential is of one project.
        case credential(GoogleCredential)
    }

    private let quotas: [AppID: Quota]

    init(_ apps: [AppConfiguration]) {
        var quotas: [AppID: Quota] = [:]
        for (group, apps) in Dictionary(grouping: apps, by: Self.group) {
            guard let slowest = apps.map(\.requestsPerSecond).min(), let kind = apps.first?.kind else { continue }
            let quota = Quota(
                Pace(requestsPerSecond: slowest, published: Self.publishedRate(of: kind)),
                name: Self.name(of: group, apps))
            for app in apps { quotas[app.id] = quota }
        }
        self.quotas = quotas
    }

    /// Each of them once.
    var all: [Quota] {
        Array(Dictionary(quotas.values.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values)
    }

    func quota(of app: AppConfiguration) -> Quota {
        quotas[app.id]
            ?? Quota(Pace(requestsPerSecond: app.requestsPerSecond, published: Self.publishedRate(of: app.kind)))
    }

    /// The owner's word wins.
    ///
    /// Else the App Store counts by app, Google Play by Cloud project.
    private static func group(of app: AppConfiguration) -> Group {
        if let quota = app.quota { return .named("\(app.kind.rawValue) quota \(quota)") }
        switch app.store {
        case .appStore(let configuration):
            return .named("\(app.kind.rawValue) \(app.environment.rawValue) \(configuration.bundleID)")
        case .googlePlay(let configuration):
            guard let project = configuration.credentials.project else {
                return .credential(GoogleCredential(configuration, app))
            }
            return .named("\(app.kind.rawValue) project \(project)")
        }
    }

    /// Where nothing else names the project, the first of its apps does.
    private static func name(of group: Group, _ apps: [AppConfiguration]) -> String {
        switch group {
        case .named(let name): name
        case .credential: "\(StoreKind.googlePlay.rawValue) app \(apps.map(\.id.rawValue).min() ?? "")"
        }
    }

    private static func publishedRate(of kind: StoreKind) -> Double {
        switch kind {
        case .appStore: AppStoreConfiguration.publishedRequestsPerSecond
        case .googlePlay: GooglePlayConfiguration.publishedRequestsPerSecond
        }
    }
}
