// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

extension VerifyReceipt {
    /// An empty receipt: the store says that it is malformed, or that the shared secret is wrong.
    func probe(through client: ThrottledClient) async -> [EndpointProbe] {
        let environment = configuration.environment
        let remark = "whether the shared secret is right it says of a real receipt only"
        let probe = await EndpointProbe.of(AppStoreEndpoints.verifyReceipt(environment), remark: remark) {
            noting throws(StoreFailure) in
            let body = try self.body(for: Receipt(id: 0, data: Secret("")))
            let classifier = classifier
            _ = try await client.send(
                request(body, in: environment), to: AppStoreEndpoints.verifyReceipt(environment)
            ) { response in
                noting(response)
                return classifier.dispositionOfProbe(
                    status: response.status, body: response.body, retryAfter: response.headers["retry-after"],
                    now: clock())
            }
        }
        return [probe]
    }
}

extension ReceiptResponseClassifier {
    /// Of an empty receipt: any word about it is an answer, and asking again changes none.
    func dispositionOfProbe(status: Int, body: [UInt8], retryAfter: String?, now: Instant) -> ResponseDisposition {
        let usual = disposition(status: status, body: body, retryAfter: retryAfter, now: now)
        guard status == 200, let word = ReceiptVerdictBody(json: body)?.status else { return usual }
        let verdict = ReceiptStatus.disposition(of: word, isRetryable: nil)
        let isOfReceipt = verdict == .refused || verdict == .accountGone || word == ReceiptStatus.malformed
        return isOfReceipt ? .accept : usual
    }
}
