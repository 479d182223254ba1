// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// What the test server answers.
enum StandardRoutes {
    typealias Installer = @Sendable (Router<SecureServer.Context>) -> Void

    /// Routes for the ordinary exchange.
    ///
    /// `packed` is served as a gzip body, `barrier` holds its route's answers back.
    static func install(packed: [UInt8] = [], barrier: Barrier = Barrier(1)) -> Installer {
        { router in
            router.get("numbers/{n}") { _, context in "number \(context.parameters.get("n") ?? "")" }
            router.get("barrier") { _, _ in
                await barrier.arrive()
                return "passed"
            }
            router.get("moved") { _, _ in Response(status: .found, headers: [.location: "/numbers/1"]) }
            router.get("packed") { request, _ in
                var response = Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: packed)))
                response.headers[.contentEncoding] = "gzip"
                add("x-accept-encoding", request.headers[.acceptEncoding], to: &response)
                return response
            }
            router.get("echo", use: echo)
            router.post("echo", use: echo)
            router.get("headers", use: headers)
        }
    }

    @Sendable
    private static func echo(_ request: Request, _ context: SecureServer.Context) async throws -> Response {
        let body = try await request.body.collect(upTo: 4 * 1024 * 1024)
        var response = Response(status: .ok, body: .init(byteBuffer: body))
        add("x-method", request.method.rawValue, to: &response)
        add("x-content-type", request.headers[.contentType] ?? "none", to: &response)
        add(
            "x-has-empty", "\(request.headers.contains { $0.name.canonicalName == "x-empty" && $0.value.isEmpty })",
            to: &response)
        return response
    }

    @Sendable
    private static func headers(_ request: Request, _ context: SecureServer.Context) -> Response {
        var response = Response(status: .tooManyRequests)
        response.headers[.retryAfter] = "120"
        add("x-part", "one", to: &response)
        add("x-part", "two", to: &response)
        add("x-user-agent", request.headers[.userAgent], to: &response)
        return response
    }

    private static func add(_ name: String, _ value: String?, to response: inout Response) {
        let key = HTTPFields.Key(name) ?? .server
        response.headers[values: key] += [value ?? ""]
    }
}

/// Lets no task pass before a number of tasks have arrived.
actor Barrier {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        missing = count
    }

    func arrive() async {
        missing -= 1
        guard missing > 0 else {
            for continuation in waiting { continuation.resume() }
            waiting = []
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}
