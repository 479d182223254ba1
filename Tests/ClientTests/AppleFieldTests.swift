// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The list of fields in the App Store's room, against the models of Apple's own library.
@Suite(.hangLimit) struct AppleFieldTests {
    @Test
    func `every field of Apple's models is read by the type that is listed, or not read for its reason`() async throws {
        let reported = try await FieldList.appStore.reported()
        #expect(reported.wrong == [])
        #expect(reported.fields > 400, "too few fields to prove anything")
    }

    @Test func `a field that is new, gone, known after all, or never read is named`() async throws {
        let reported = try await FieldList.appStore.reported { lines in
            lines.filter { !$0.hasPrefix("JWSTransactionDecodedPayload.price ") } + [
                "HistoryResponse.gone | read: HistoryResponse",
                "+StatusResponse.data | not read: because nobody looked",
                "+JWSTransactionDecodedPayload.moon | read: TransactionPayload",
                "StatusResponse.environment | not read: because nobody looked",
            ]
        }
        #expect(
            reported.wrong == [
                "HistoryResponse.gone is not in the library any more",
                "HistoryResponse.gone is said to be read by HistoryResponse, which does not name it",
                "JWSTransactionDecodedPayload.moon is said to be read by TransactionPayload, which does not name it",
                "JWSTransactionDecodedPayload.price is new: read it, or say in the list why not",
                "StatusResponse.data is in the library by now: list it without its plus",
                "StatusResponse.data is listed twice",
                "StatusResponse.environment is listed twice",
            ])
    }
}
