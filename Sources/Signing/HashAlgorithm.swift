// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The hashes that stores sign with.
enum HashAlgorithm: Sendable {
    /// For ES256 and RS256.
    case sha256
    /// For Play's purchase signatures only, which have known no other since 2010.
    case sha1

    /// OpenSSL's description of the hash; a constant of the library.
    var descriptor: OpaquePointer? {
        switch self {
        case .sha256: unsafe EVP_sha256()
        case .sha1: unsafe EVP_sha1()
        }
    }

    /// The digest of the bytes, or nil when OpenSSL cannot compute it.
    func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        let outcome = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe EVP_Digest(buffer.baseAddress, buffer.count, &digest, &length, descriptor, nil)
        }
        guard outcome == 1 else { return nil }
        digest.removeLast(digest.count - Int(length))
        return digest
    }
}
