// SPDX-License-Identifier: Apache-2.0

/// Swift strings as a C array of C strings for the length of one call.
@safe enum CStrings {
    /// Calls `body` with one pointer per string, NULL for nil, and a NULL at the end.
    ///
    /// The pointers must not escape.
    static func withPointers<R>(
        _ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R
    ) -> R? {
        var bytes: [UInt8] = [0]
        let offsets = strings.map { string -> Int? in
            guard let string else { return nil }
            let start = bytes.count
            bytes += string.utf8
            bytes.append(0)
            return start
        }
        return unsafe bytes.withUnsafeBytes { storage in
            let characters = unsafe storage.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe (offsets + [nil]).map { offset in
                unsafe offset.flatMap { unsafe characters?.advanced(by: $0) }.map { unsafe UnsafePointer($0) }
            }
            return unsafe pointers.withUnsafeBufferPointer { list in unsafe list.baseAddress.map { unsafe body($0) } }
        }
    }
}
