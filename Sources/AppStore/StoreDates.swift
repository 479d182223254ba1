// SPDX-License-Identifier: Apache-2.0

import Model

extension Instant {
    /// From the milliseconds the store sends; nil outside the years 1970 to 9999, which no store means.
    init?(storeMilliseconds: Int64?) {
        guard let storeMilliseconds, (0..<253_402_300_800_000).contains(storeMilliseconds) else { return nil }
        self.init(milliseconds: storeMilliseconds)
    }
}

extension PurchaseEnvironment {
    /// As the App Store spells it. Data of `Xcode` and `LocalTesting` is nobody's purchase and has no place here.
    var storeName: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }
}
