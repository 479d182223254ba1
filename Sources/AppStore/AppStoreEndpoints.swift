// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The App Store's endpoints as it counts them: each by itself, the sandbox at a tenth.
enum AppStoreEndpoints {
    static func statuses(_ environment: PurchaseEnvironment) -> Endpoint {
        endpoint("statuses", in: environment, for: .inquiry)
    }
    static func history(_ environment: PurchaseEnvironment) -> Endpoint {
        endpoint("history", in: environment, for: .completion)
    }
    static func transactionInfo(_ environment: PurchaseEnvironment) -> Endpoint {
        endpoint("transaction_info", in: environment, for: .completion)
    }

    /// A fifth of the others' rate.
    static func refunds(_ environment: PurchaseEnvironment) -> Endpoint {
        endpoint("refund_history", in: environment, share: 5, for: .completion)
    }

    /// No limit is published for it; the rate of the others is taken, in the sandbox too.
    static func verifyReceipt(_ environment: PurchaseEnvironment) -> Endpoint {
        Endpoint(
            name: environment == .sandbox ? "verify_receipt_sandbox" : "verify_receipt",
            publishedRate: AppStoreConfiguration.publishedRequestsPerSecond)
    }

    static func endpoint(
        _ name: String, in environment: PurchaseEnvironment, share: Double = 1, for part: Endpoint.Part
    ) -> Endpoint {
        let rate = AppStoreConfiguration.publishedRequestsPerSecond / share
        return environment == .sandbox
            ? Endpoint(name: name + "_sandbox", publishedRate: rate / 10, part: part)
            : Endpoint(name: name, publishedRate: rate, part: part)
    }
}
