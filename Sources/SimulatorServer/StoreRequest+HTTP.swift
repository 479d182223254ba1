// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import StoreSimulator

extension StoreResponse {
    /// The answer as the server sends it.
    var response: Response {
        var fields = HTTPFields()
        fields[.contentType] = type
        for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
        return Response(
            status: HTTPResponse.Status(code: status), headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension StoreRequest {
    init(_ request: Request, body: [UInt8]) {
        var values: [String: [String]] = [:]
        for (name, value) in Self.parameters(of: request, body: body) { values[name, default: []].append(value) }
        self.init(
            path: request.uri.path, query: values.compactMapValues(\.last),
            authorization: request.headers[.authorization], body: body, repeated: values.filter { $1.count > 1 })
    }

    /// Google's servers take the parameters of a long GET in the body of a POST that names the method it stands for.
    private static func parameters(of request: Request, body: [UInt8]) -> [(name: String, value: String)] {
        let override = HTTPField.Name("x-http-method-override").flatMap { request.headers[$0] }
        let query = override == "GET" ? String(decoding: body, as: UTF8.self) : request.uri.query ?? ""
        return query.split(separator: "&").compactMap { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, let value = parts.last?.removingPercentEncoding, parts.count == 2 else {
                return nil
            }
            return (String(name), value)
        }
    }
}
