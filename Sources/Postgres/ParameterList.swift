// SPDX-License-Identifier: Apache-2.0

/// The parameters of one command as libpq takes them, all in one buffer.
@safe struct ParameterList {
    private var bytes: [UInt8] = []
    /// Where each begins; nil for NULL.
    private var starts: [Int?] = []
    /// In bytes; libpq reads those of binary ones.
    private var lengths: [Int32] = []
    /// 0 for PostgreSQL's text form, 1 for its binary one.
    private var formats: [Int32] = []

    init(_ values: [PostgresValue]) {
        for value in values { append(value) }
    }

    var count: Int32 { Int32(starts.count) }

    private mutating func append(_ value: PostgresValue) {
        let start = bytes.count
        var isBinary = false
        switch value {
        case .null: break
        case .documentArray(let texts):
            BinaryArray.append(texts, to: &bytes)
            isBinary = true
        case .textArray(let texts):
            ArrayText.append(texts, to: &bytes)
            bytes.append(0)
        default:
            if let text = value.wireText { bytes += text.utf8 }
            bytes.append(0)
        }
        starts.append(value == .null ? nil : start)
        lengths.append(Int32(bytes.count - start))
        formats.append(isBinary ? 1 : 0)
    }

    /// Calls `body` with values, lengths and formats, one of each per parameter.
    ///
    /// The pointers must not escape.
    func withPointers<R>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> R
    ) -> R {
        unsafe bytes.withUnsafeBytes { storage in
            let characters = unsafe storage.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe starts.map { start in
                unsafe start.flatMap { unsafe characters?.advanced(by: $0) }.map { unsafe UnsafePointer($0) }
            }
            return unsafe pointers.withUnsafeBufferPointer { values in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
