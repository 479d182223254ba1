// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Bytes that are overwritten before their memory is given back.
///
/// They have this one owner.
///
/// `@unchecked Sendable`: the bytes are written in the initialiser alone; afterwards they are only read, until the last reference
/// is gone.
@safe final class WipedMemory: @unchecked Sendable {
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(copying source: Swift.Span<UInt8>) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.count)
        unsafe source.withUnsafeBufferPointer { _ = unsafe copy.initialize(fromContentsOf: $0) }
        unsafe bytes = copy
    }

    deinit {
        unsafe UnsafeMutableRawBufferPointer(bytes).wipe()
        unsafe bytes.deallocate()
    }

    /// Lends the bytes.
    func withBytes<Result, Failure: Error>(
        _ body: (Swift.Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(unsafe Swift.Span(_unsafeElements: UnsafeBufferPointer(bytes)))
    }
}

extension WipedMemory: Hashable {
    static func == (left: WipedMemory, right: WipedMemory) -> Bool {
        guard left !== right else { return true }
        return unsafe left.bytes.elementsEqual(right.bytes)
    }

    func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
}

extension [UInt8] {
    /// Overwrites bytes that have no other owner: where the array is shared, only its own copy would be overwritten.
    package mutating func wipe() {
        unsafe withUnsafeMutableBytes { unsafe $0.wipe() }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Zeros that no optimisation leaves out.
    fileprivate func wipe() {
        guard let baseAddress else { return }
        unsafe explicit_bzero(baseAddress, count)
    }
}
