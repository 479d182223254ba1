// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird

extension DeskAnswer {
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

extension Desk.Request {
    init(_ request: Request, body: [UInt8]) {
        let values = request.uri.queryParameters.reduce(into: [String: [String]]()) {
            $0[String($1.key), default: []] += [String($1.value).removingPercentEncoding].compactMap(\.self)
        }
        self.init(
            path: request.uri.path, query: values.compactMapValues(\.last),
            authorization: request.headers[.authorization], body: body, repeated: values.filter { $1.count > 1 })
    }
}
