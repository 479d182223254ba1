// SPDX-License-Identifier: Apache-2.0

import Model

extension PurchaseEnvironment {
    /// As the App Store spells it.
    ///
    /// Data of `Xcode` and `LocalTesting` is no customer's purchase and has no place here.
    var storeName: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }
}
