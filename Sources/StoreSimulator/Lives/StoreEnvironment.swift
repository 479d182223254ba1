// SPDX-License-Identifier: Apache-2.0

/// Where a purchase was made: with money, or by a tester.
package enum StoreEnvironment: String, Hashable, Sendable, Codable, CaseIterable {
    case production, sandbox

    /// The App Store's spelling.
    var storeName: String { self == .production ? "Production" : "Sandbox" }
}
