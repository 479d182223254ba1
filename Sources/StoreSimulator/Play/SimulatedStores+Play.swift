// SPDX-License-Identifier: Apache-2.0

extension SimulatedStores {
    /// One entry of `apps:` for an app of Google Play.
    func playConfiguration(_ app: SimulatedApp, _ play: SimulatedApp.Play) -> String {
        guard let keys = front.keys.play[app.id] else { return "" }
        var lines = [
            "  - id: \(app.id)", "    store: google_play", "    package_name: \(app.bundleID)",
            "    api: \(play.api.rawValue)", "    ca_file: \(configuration.directory)/ca.pem",
            "    http: \(configuration.http)", "    requests_per_second: \(configuration.requestsPerSecond)",
            "    max_in_flight: 64", "    base_url: \(baseURL)", "    credentials:",
        ]
        switch play.grant {
        case .serviceAccount: lines.append("      service_account_file: \(keys.serviceAccountFile)")
        case .refreshToken:
            lines += [
                "      client_id: \(keys.clientID)", "      client_secret_file: \(keys.clientSecretFile)",
                "      refresh_token_file: \(keys.refreshTokenFile)",
            ]
        }
        lines.append("      token_url: \(baseURL)/token")
        return lines.joined(separator: "\n") + "\n"
    }
}
