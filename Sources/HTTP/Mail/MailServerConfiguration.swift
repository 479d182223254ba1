// SPDX-License-Identifier: Apache-2.0

/// Which server mails are handed to.
///
/// Without TLS it is talked to on this machine alone.
package struct MailServerConfiguration: Sendable {
    /// Why a URL is no mail server's.
    ///
    /// Never quotes it.
    package struct Refusal: Error {
        package let reason: String
    }

    enum Security: Sendable {
        /// From the first byte: `smtps`.
        case tls
        /// Before anything else is said; a server that does not offer it is left.
        case startTLS
        /// To a loopback host, unless its authority is named.
        case none
    }

    let host: String
    let url: String
    let security: Security
    package var username: String?
    /// Beside the user name.
    package var password: String?
    /// A PEM file with the only authorities to trust; nil trusts the system's store.
    package let certificateAuthorityFile: String?
    /// How long a message may take in all, its files included.
    package var total = Duration.seconds(300)

    /// `smtps://host` or `smtp://host`, with a port where it is not 465 or 587.
    package init(url: String, certificateAuthorityFile: String? = nil) throws(Refusal) {
        let isImplicit = url.hasPrefix("smtps://")
        guard isImplicit || url.hasPrefix("smtp://") else {
            throw Refusal(reason: "must begin with smtps:// or smtp://")
        }
        let authority = url.dropFirst(isImplicit ? 8 : 7)
        // As strict about who is meant as for any other server.
        guard !authority.contains("/"), !authority.contains("?"), let origin = try? Origin(url: "https://\(authority)")
        else { throw Refusal(reason: "must be a host, with a port if need be, and nothing behind it") }
        let isBare = origin.key == "https://\(origin.host)" || origin.key.hasSuffix("]")
        host = origin.host
        self.url = isBare ? "\(url):\(isImplicit ? 465 : 587)" : url
        self.certificateAuthorityFile = certificateAuthorityFile
        security = isImplicit ? .tls : certificateAuthorityFile == nil && Origin.isLoopback(host) ? .none : .startTLS
    }
}

extension MailServerConfiguration: CustomStringConvertible, CustomReflectable {
    /// Leaves out who logs in, and how.
    package var description: String { url }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
