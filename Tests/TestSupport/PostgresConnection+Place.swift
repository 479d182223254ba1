// SPDX-License-Identifier: Apache-2.0

package import Postgres

extension PostgresConnection {
    /// The unix socket that this session's server listens at.
    package func socketPath() async throws -> String {
        let settings = "select current_setting('unix_socket_directories') as s, current_setting('port') as p"
        let place = try await lines(settings).first?.split(separator: "|") ?? []
        guard place.count == 2 else { throw TestSupportError("the server does not say where it is") }
        return "\(place[0])/.s.PGSQL.\(place[1])"
    }

    /// The URL of this session's database and role through a proxy on loopback.
    package func url(throughPort port: UInt16) async throws -> String {
        let session = try await lines("select current_user as u, current_database() as d").first?.split(separator: "|")
        guard let session, session.count == 2 else { throw TestSupportError("the session does not say whose it is") }
        return "postgresql://\(session[0])@127.0.0.1:\(port)/\(session[1])"
    }
}
