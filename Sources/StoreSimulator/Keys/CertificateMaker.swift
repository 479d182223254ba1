// SPDX-License-Identifier: Apache-2.0

/// Makes the certificates of a simulated store: a server's for TLS, and the chain that signs App Store data.
struct CertificateMaker {
    let tool: OpenSSLTool

    /// ca.pem, server.pem and server.key for localhost, 127.0.0.1 and that address.
    func makeServer(at host: String) throws {
        try tool.provide("server at \(host)") { try issueServer(at: host) }
    }

    private func issueServer(at host: String) throws {
        try issue("ca", to: "Simulated Store TLS CA", by: nil, ["basicConstraints=critical,CA:TRUE"])
        try issue(
            "server", to: "localhost", by: "ca",
            [
                "basicConstraints=CA:FALSE", "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:\(host)",
                "extendedKeyUsage=serverAuth",
            ])
    }

    /// Root, intermediate and leaf with the App Store's marker extensions; returns their DER from the leaf up.
    func makeChain(named name: String) throws -> [[UInt8]] {
        try tool.provide("chain \(name)") { try issueChain(named: name) }
        return try ["leaf", "intermediate", "root"].map { try tool.read("\(name)-\($0).der") }
    }

    private func issueChain(named name: String) throws {
        try issue(
            "\(name)-root", to: "Simulated Root CA", by: nil,
            ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign", "subjectKeyIdentifier=hash"])
        try issue(
            "\(name)-intermediate", to: "Simulated Developer Relations CA", by: "\(name)-root",
            [
                "basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign,cRLSign",
                "1.2.840.113635.100.6.2.1=DER:0500",
                "subjectKeyIdentifier=hash", "authorityKeyIdentifier=keyid",
            ])
        try issue(
            "\(name)-leaf", to: "Simulated Receipt Signing", by: "\(name)-intermediate",
            [
                "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature",
                "1.2.840.113635.100.6.11.1=DER:0500",
            ])
        for part in ["leaf", "intermediate", "root"] {
            try tool.run("x509", "-in", "\(name)-\(part).pem", "-outform", "DER", "-out", "\(name)-\(part).der")
        }
    }

    /// A P-256 key in PKCS#8, and its public half; returns the latter as DER.
    func makeKey(_ file: String) throws -> [UInt8] {
        try tool.makeKey(file, by: "EC", option: "ec_paramgen_curve:P-256", publicKey: file + ".pub")
        return try tool.read(file + ".pub")
    }

    /// Valid from 2014 to 2039, like the real root: lives may begin in any year between.
    private func issue(_ name: String, to subject: String, by issuer: String?, _ extensions: [String]) throws {
        _ = try makeKey("\(name).key")
        try tool.run("req", "-new", "-key", "\(name).key", "-subj", "/CN=\(subject)", "-out", "\(name).csr")
        try tool.write("", to: "\(name).db")
        try tool.write(configuration(name, extensions), to: "\(name).cnf")
        let authority =
            issuer.map { ["-cert", "\($0).pem", "-keyfile", "\($0).key"] } ?? ["-selfsign", "-keyfile", "\(name).key"]
        try tool.run(
            ["ca", "-batch", "-notext", "-config", "\(name).cnf"] + authority + [
                "-startdate", "20140430000000Z", "-enddate", "20390430000000Z", "-in", "\(name).csr", "-out",
                "\(name).pem", "-extensions", "made",
            ])
    }

    private func configuration(_ name: String, _ extensions: [String]) -> String {
        """
        [ca]
        default_ca = here
        [here]
        database = \(name).db
        new_certs_dir = .
        rand_serial = yes
        unique_subject = no
        default_md = sha256
        policy = any
        [any]
        commonName = supplied
        [made]
        \(extensions.joined(separator: "\n"))

        """
    }
}
