// SPDX-License-Identifier: Apache-2.0

/// A request as the endpoints read it.
package struct StoreRequest: Sendable {
    let path: String
    let query: [String: String]
    let authorization: String?
    let body: [UInt8]
    /// Every value of the parameters that were given more than once.
    var repeated: [String: [String]] = [:]

    package init(
        path: String, query: [String: String], authorization: String?, body: [UInt8], repeated: [String: [String]] = [:]
    ) {
        self.path = path
        self.query = query
        self.authorization = authorization
        self.body = body
        self.repeated = repeated
    }

    /// All values of a parameter, in their order.
    func values(of name: String) -> [String] { repeated[name] ?? query[name].map { [$0] } ?? [] }
}

/// What an endpoint hands back.
package struct StoreResponse: Sendable {
    package var status: Int
    package var type = "application/json"
    package var headers: [String: String] = [:]
    package var body: [UInt8]

    static func json(_ body: WireObject) throws -> StoreResponse { StoreResponse(status: 200, body: try body.bytes()) }

    /// JSON that calls itself text, as verifyReceipt's does.
    static func text(_ body: WireObject) throws -> StoreResponse {
        StoreResponse(status: 200, type: "text/plain", body: try body.bytes())
    }

    /// What a store says of a request that it refuses.
    static func refusal(_ status: Int, _ body: WireObject) -> StoreResponse {
        (try? body.bytes()).map { StoreResponse(status: status, body: $0) } ?? StoreResponse(status: 500, body: [])
    }
}
