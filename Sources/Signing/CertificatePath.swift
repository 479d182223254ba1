// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// One path validation in progress (`X509_STORE_CTX`): leaf, intermediate and a configured root, and nothing else.
///
/// OpenSSL checks names, signatures, path lengths, key usage and critical extensions. Time is not its business here: a
/// path is valid for a window of time, which is compared with each signed instant.
@safe
struct CertificatePath: ~Copyable {
    /// Security level 2 of OpenSSL: at least 112 bits, which rules out SHA-1 and RSA below 2,048 bits.
    private static let securityLevel: Int32 = 2

    private let pointer: OpaquePointer
    private let untrusted: OpaquePointer

    private init(owning pointer: OpaquePointer, _ untrusted: OpaquePointer) {
        unsafe self.pointer = pointer
        unsafe self.untrusted = untrusted
    }

    deinit {
        unsafe X509_STORE_CTX_free(pointer)
        // Frees the list only: the certificate in it belongs to the caller.
        unsafe OPENSSL_sk_free(untrusted)
    }

    /// Validates the path from the leaf over the intermediate to one of the roots.
    ///
    /// - Returns: the instants (milliseconds since the Unix epoch) at which the root is valid.
    /// - Throws: `untrustedRoot`, `chainBroken`, `intermediateNotCA`, `libraryFailure`.
    static func validate(
        leaf: borrowing Certificate, intermediate: borrowing Certificate, roots: RootStore
    ) throws(SigningError) -> ClosedRange<Int64> {
        let path = try begin()
        defer { _ = OpenSSLErrorQueue.drain() }
        guard path.isReady(leaf: leaf, intermediate: intermediate, roots: roots) else {
            throw OpenSSLErrorQueue.error(.libraryFailure)
        }
        guard unsafe X509_verify_cert(path.pointer) == 1 else { throw path.failure }
        guard let validity = path.rootValidity(above: intermediate) else { throw SigningError(.chainBroken) }
        return validity
    }

    private static func begin() throws(SigningError) -> CertificatePath {
        guard let untrusted = unsafe OPENSSL_sk_new_null() else { throw OpenSSLErrorQueue.error(.libraryFailure) }
        guard let pointer = unsafe X509_STORE_CTX_new() else {
            unsafe OPENSSL_sk_free(untrusted)
            throw OpenSSLErrorQueue.error(.libraryFailure)
        }
        return unsafe CertificatePath(owning: pointer, untrusted)
    }

    /// The time is ours to check.
    ///
    /// Strictly by RFC 5280 otherwise, as the store's own library checks: an authority names its key and what it is
    /// for.
    private static let flags = UInt(X509_V_FLAG_NO_CHECK_TIME) | UInt(X509_V_FLAG_X509_STRICT)

    private func isReady(
        leaf: borrowing Certificate, intermediate: borrowing Certificate, roots: RootStore
    ) -> Bool {
        let pushed = unsafe intermediate.withPointer { unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer($0)) }
        let started = unsafe roots.withPointer { roots in
            unsafe leaf.withPointer { unsafe X509_STORE_CTX_init(pointer, roots, $0, untrusted) }
        }
        guard pushed == 1, started == 1, let parameters = unsafe X509_STORE_CTX_get0_param(pointer) else {
            return false
        }
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
        return unsafe X509_VERIFY_PARAM_set_flags(parameters, Self.flags) == 1
    }

    /// The root's validity, if the path found is exactly leaf, this intermediate, root.
    private func rootValidity(above intermediate: borrowing Certificate) -> ClosedRange<Int64>? {
        let chain = unsafe X509_STORE_CTX_get0_chain(pointer)
        guard unsafe OPENSSL_sk_num(chain) == 3, let middle = unsafe OPENSSL_sk_value(chain, 1),
            let root = unsafe OPENSSL_sk_value(chain, 2)
        else { return nil }
        let same = unsafe intermediate.withPointer { unsafe X509_cmp($0, OpaquePointer(middle)) == 0 }
        return same ? unsafe Certificate.validity(of: OpaquePointer(root)) : nil
    }

    /// What OpenSSL held against the path, in our words.
    private var failure: SigningError {
        let reason = unsafe X509_STORE_CTX_get_error(pointer)
        let detail = unsafe String(cString: X509_verify_cert_error_string(Int(reason)))
        return SigningError(Self.code(reason, depth: unsafe X509_STORE_CTX_get_error_depth(pointer)), detail: detail)
    }

    /// A missing or different issuer above the intermediate is a root we do not know; above the leaf, a broken chain.
    private static func code(_ reason: Int32, depth: Int32) -> SigningError.Code {
        switch reason {
        case X509_V_ERR_INVALID_CA, X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_CA_CERT_MISSING_KEY_USAGE,
            X509_V_ERR_CA_BCONS_NOT_CRITICAL, X509_V_ERR_KU_KEY_CERT_SIGN_INVALID_FOR_NON_CA,
            X509_V_ERR_PATHLEN_WITHOUT_KU_KEY_CERT_SIGN:
            .intermediateNotCA
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_CERT_SIGNATURE_FAILURE:
            depth == 0 ? .chainBroken : .untrustedRoot
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            .untrustedRoot
        default:
            .chainBroken
        }
    }
}
