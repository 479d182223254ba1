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
                return classifier.dispositionOfProbe(response, now: clock())
            }
        }
        return [probe]
    }
}

extension ReceiptResponseClassifier {
    /// Of an empty receipt: any word about it is an answer, and asking again changes none.
    fileprivate func dispositionOfProbe(_ response: HTTPResponse, now: Instant) -> ResponseDisposition {
        guard response.status == 200, let status = ReceiptVerdictBody(json: response.body)?.status else {
            return disposition(of: response, now: now)
        }
        let verdict = ReceiptStatus.disposition(of: status, isRetryable: nil)
        let isOfReceipt = verdict == .refused || verdict == .accountGone || status == ReceiptStatus.malformed
        return isOfReceipt ? .accept : disposition(of: response, now: now)
    }
}
