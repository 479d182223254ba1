// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a server's certificate, and which setting mends it.
///
/// libpq says of a certificate that does not verify only that: whether its time is over or its authority is unknown is seen with
/// OpenSSL.
enum CertificateRefusal {
    /// Nil where the reason is about something else.
    static func sentence(_ reason: String, of configuration: PostgresConfiguration) -> String? {
        let file = configuration.rootCertificateFile
        if reason.contains("does not match host name") {
            return
                "the certificate of \(configuration) is for another host (\(reason)): name in database.url the host that it is for"
        }
        if reason.contains("root certificate file") {
            return
                "the certificate of \(configuration) cannot be checked (\(reason)): name its authority's certificate in "
                + "database.url, sslrootcert=/path/to/root.crt"
        }
        guard reason.contains("certificate verify failed") else { return nil }
        let trusted = file.map { "sslrootcert (\($0))" } ?? "sslrootcert, by default ~/.postgresql/root.crt"
        return
            "the certificate of \(configuration) is not accepted: it has expired, or its authority is not in \(trusted); which of "
            + "the two says openssl s_client -starttls postgres -connect \(configuration.place) -CAfile \(file ?? "FILE")"
    }
}
