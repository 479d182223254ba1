// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Issues certificates with the `openssl` command line: good ones, and every bad one a test asks for.
package final class CertificateWorkshop: Sendable {
    package static let leafOID = "1.2.840.113635.100.6.11.1"
    package static let intermediateOID = "1.2.840.113635.100.6.2.1"

    /// A certificate with its key.
    package struct Issued: Sendable {
        package let name: String
        package let der: [UInt8]
        package let pem: [UInt8]
        package var keyFile: String { "\(name).key" }
        package var certificateFile: String { "\(name).pem" }
        /// Its spelling in `x5c`.
        package var base64: String { Data(der).base64EncodedString() }
    }

    /// From and to, as `openssl ca` takes them.
    package struct Validity: Sendable {
        package let from: String
        package let to: String
        package static let long = Validity(from: "20140430000000Z", to: "20390430000000Z")
        package static let middle = Validity(from: "20210317000000Z", to: "20360319000000Z")
        package static let signer = Validity(from: "20230919000000Z", to: "20251011235959Z")

        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    package let tool: OpenSSLCommand

    package init() throws {
        tool = try OpenSSLCommand()
    }

    /// A certificate of the given extensions, signed by the issuer or by itself.
    package func issue(
        subject: String, curve: String, by issuer: Issued?, extensions: [String], validity: Validity
    ) throws -> Issued {
        let name = UUID().uuidString
        let signer = issuer?.name ?? name
        try tool.run("ecparam", "-name", curve, "-genkey", "-noout", "-out", "\(name).key")
        try tool.run("req", "-new", "-key", "\(name).key", "-subj", "/CN=\(subject)", "-out", "\(name).csr")
        _ = try tool.write(Data(), as: "\(name).db")
        _ = try tool.write(configuration(name, extensions).utf8, as: "\(name).cnf")
        let authority = issuer == nil ? ["-selfsign"] : ["-cert", "\(signer).pem"]
        try issue(name, signer, authority, validity)
        let der = try tool.run("x509", "-in", "\(name).pem", "-outform", "DER")
        return Issued(name: name, der: der, pem: try tool.read("\(name).pem"))
    }

    /// The real shape: a root on P-384.
    package func root(subject: String = "Test Root CA", keyIdentifiers: Bool = true) throws -> Issued {
        let identifier = keyIdentifiers ? ["subjectKeyIdentifier=hash"] : ["subjectKeyIdentifier=none"]
        return try issue(
            subject: subject, curve: "secp384r1", by: nil,
            extensions: ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"] + identifier,
            validity: .long)
    }

    /// The real shape: an intermediate on P-384 with its marker, unless a variant is asked for.
    package func intermediate(
        by root: Issued, oid: String? = intermediateOID,
        constraints: String = "basicConstraints=critical,CA:TRUE,pathlen:0",
        subject: String = "Test Intermediate", keyIdentifiers: Bool = true, keyUsage: Bool = true,
        validity: Validity = .middle
    ) throws -> Issued {
        let identifiers =
            keyIdentifiers
            ? ["subjectKeyIdentifier=hash", "authorityKeyIdentifier=keyid"] : ["subjectKeyIdentifier=none"]
        return try issue(
            subject: subject, curve: "secp384r1", by: root,
            extensions: [constraints] + usage(constraints, isReported: keyUsage) + marker(oid) + identifiers,
            validity: validity)
    }

    /// What an authority's key is for; a variant that is no authority says nothing of it.
    private func usage(_ constraints: String, isReported: Bool) -> [String] {
        isReported && constraints.contains("CA:TRUE") ? ["keyUsage=critical,keyCertSign,cRLSign"] : []
    }

    /// The real shape: a signer on P-256 with its marker, unless a variant is asked for.
    package func leaf(
        by issuer: Issued, oid: String? = leafOID, curve: String = "prime256v1", subject: String = "Test Signer",
        keyIdentifiers: Bool = true, validity: Validity = .signer
    ) throws -> Issued {
        let identifiers =
            keyIdentifiers
            ? ["subjectKeyIdentifier=hash", "authorityKeyIdentifier=keyid"] : ["subjectKeyIdentifier=none"]
        return try issue(
            subject: subject, curve: curve, by: issuer,
            extensions: ["basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature"] + marker(oid)
                + identifiers, validity: validity)
    }

    private func marker(_ oid: String?) -> [String] {
        oid.map { ["\($0)=DER:0500"] } ?? []
    }

    private func issue(_ name: String, _ signer: String, _ authority: [String], _ validity: Validity) throws {
        let words = ["-keyfile", "\(signer).key", "-startdate", validity.from, "-enddate", validity.to]
        let files = ["-in", "\(name).csr", "-out", "\(name).pem", "-extensions", "made"]
        try tool.run(arguments: ["ca", "-batch", "-notext", "-config", "\(name).cnf"] + authority + words + files)
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
        default_md = sha384
        policy = any
        [any]
        commonName = supplied
        [made]
        \(extensions.joined(separator: "\n"))

        """
    }
}
