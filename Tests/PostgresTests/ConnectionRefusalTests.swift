// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Postgres

/// Why there is no connection, in words that name what to change; the reasons are libpq's own.
@Suite struct ConnectionRefusalTests {
    private static let database = "host=db.internal port=6432 dbname=billing user=etl"

    private static func error(
        _ reason: String, sqlState: String? = nil, rootCertificate: String? = "/etc/ca.crt"
    ) throws -> PostgresError {
        let root = rootCertificate.map { "&sslrootcert=\($0)" } ?? ""
        let configuration = try PostgresConfiguration(
            url: "postgresql://etl@db.internal:6432/billing?sslmode=verify-full\(root)")
        return ConnectionRefusal.error(reason, sqlState: sqlState, to: configuration)
    }

    @Test func `a certificate that is not accepted names sslrootcert, and how to see why`() throws {
        let error = try Self.error("SSL error: certificate verify failed")
        #expect(error.code == .configuration)
        #expect(
            error.message
                == "the certificate of \(Self.database) is not accepted: it has expired, or its authority is not in "
                + "sslrootcert (/etc/ca.crt); which of the two says openssl s_client -starttls postgres -connect db.internal:6432 "
                + "-CAfile /etc/ca.crt")
    }

    @Test func `a certificate for another host, and a root that is not there, are called so`() throws {
        let other = try Self.error(#"server certificate for "a" does not match host name "db.internal""#)
        #expect(other.message.contains("is for another host") && other.code == .configuration)
        let missing = try Self.error(#"root certificate file "/root/.postgresql/root.crt" does not exist"#)
        #expect(missing.message.contains("sslrootcert=/path/to/root.crt") && missing.code == .configuration)
    }

    @Test(arguments: [
        ("28P01", "passfile="), ("28000", "pg_hba.conf"), ("3D000", "createdb"), ("42501", "grant connect"),
    ])
    func `a refusal that the server has a code for says what to do`(sqlState: String, word: String) throws {
        let error = try Self.error("FATAL:  the server's own words", sqlState: sqlState)
        #expect(error.message.hasPrefix("cannot connect to \(Self.database): FATAL:  the server's own words: "))
        #expect(error.message.contains(word) && error.disposition == .stop)
    }

    @Test func `a standby is called a read-only standby, once`() throws {
        let error = try Self.error("session is in recovery: server is in hot standby mode")
        #expect(error.code == .readOnly && error.disposition == .retry)
        #expect(
            "\(error)" == "\(Self.database) is a read-only standby: name the primary, or wait until it is promoted")
        let statement = PostgresError(.readOnly, "cannot execute INSERT in a read-only transaction")
        #expect("\(statement)".hasSuffix("— the server is a read-only standby; connect to the primary"))
    }
}
