// SPDX-License-Identifier: Apache-2.0

import Stores

/// What the API says went wrong.
///
/// Its messages are for its own people and may quote a token: only words are read.
struct PlayErrorBody: JSONReadable {
    private struct Item: JSONReadable {
        let domain: String?
        let reason: String?

        init(_ fields: Fields) {
            domain = fields.text("domain")?.asWord
            reason = fields.text("reason")?.asWord
        }
    }

    /// The reasons in the order they came, those of the newer form (`details`) last.
    let reasons: [String]
    let domains: Set<String>
    /// The canonical code, such as `PERMISSION_DENIED`; often absent.
    let status: String?

    init(_ fields: Fields) throws {
        guard let error = fields.object("error") else { throw NotAnError() }
        let errors: [Item?] = error.list("errors") ?? []
        let details: [Item?] = error.list("details") ?? []
        reasons = (errors + details).compactMap { $0?.reason }
        domains = Set((errors + details).compactMap { $0?.domain })
        status = error.text("status")?.asWord
    }

    private struct NotAnError: Error {}
}
