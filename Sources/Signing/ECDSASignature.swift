// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A P-256 signature between its two spellings: r and s side by side (JSON web tokens) and DER (OpenSSL).
@safe
struct ECDSASignature: ~Copyable {
    /// Bytes of r and s side by side.
    static let rawByteCount = 64

    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe ECDSA_SIG_free(pointer)
    }

    /// The signature OpenSSL wrote, or nil when the bytes are not one.
    static func read(der: [UInt8]) -> ECDSASignature? {
        let pointer = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &cursor, buffer.count)
        }
        guard let pointer = unsafe pointer else { return nil }
        return unsafe ECDSASignature(owning: pointer)
    }

    /// The signature of a token, or nil unless it has exactly 64 bytes.
    static func read(raw: [UInt8]) -> ECDSASignature? {
        guard raw.count == rawByteCount, let pointer = unsafe ECDSA_SIG_new() else { return nil }
        let signature = unsafe ECDSASignature(owning: pointer)
        guard signature.assign(raw) else { return nil }
        return signature
    }

    /// Gives r and s to the structure, which frees them from then on.
    private func assign(_ raw: [UInt8]) -> Bool {
        let half = Self.rawByteCount / 2
        let (r, s) = unsafe raw.withUnsafeBufferPointer { buffer in
            unsafe (
                BN_bin2bn(buffer.baseAddress, Int32(half), nil),
                BN_bin2bn(buffer.baseAddress?.advanced(by: half), Int32(half), nil)
            )
        }
        if unsafe ECDSA_SIG_set0(pointer, r, s) == 1 { return true }
        unsafe BN_free(r)
        unsafe BN_free(s)
        return false
    }

    /// r and s as 32 big-endian bytes each; nil when they need more, which no P-256 signature does.
    var raw: [UInt8]? {
        let half = Int32(Self.rawByteCount / 2)
        return unsafe [UInt8](unsafeUninitializedCapacity: Self.rawByteCount) { output, count in
            let r = unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pointer), output.baseAddress, half)
            let s = unsafe BN_bn2binpad(ECDSA_SIG_get0_s(pointer), output.baseAddress?.advanced(by: Int(half)), half)
            count = r == half && s == half ? Self.rawByteCount : 0
        }.nonEmpty
    }

    /// The DER form; nil when memory is short.
    var der: [UInt8]? {
        // Two integers of at most 33 bytes with two bytes of head each, in a sequence with two more.
        unsafe [UInt8](unsafeUninitializedCapacity: 72) { output, count in
            var cursor = output.baseAddress
            guard unsafe i2d_ECDSA_SIG(pointer, nil) <= 72 else { return }
            count = max(0, Int(unsafe i2d_ECDSA_SIG(pointer, &cursor)))
        }.nonEmpty
    }
}

extension Array {
    /// The array, or nil when the C call behind it wrote nothing.
    fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}
