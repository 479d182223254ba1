// SPDX-License-Identifier: Apache-2.0

/// COPY's text format: tab between columns, newline after a row, backslash escapes, `\N` for NULL.
enum CopyText {
    static func append(_ row: [PostgresValue], to buffer: inout [UInt8]) {
        for (index, value) in row.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: "\t")) }
            if let text = value.wireText {
                appendEscaped(text, to: &buffer)
            } else {
                buffer.append(contentsOf: "\\N".utf8)
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }

    private static func appendEscaped(_ text: String, to buffer: inout [UInt8]) {
        guard text.containsByte(isEscaped) else { return buffer.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): buffer.append(contentsOf: "\\\\".utf8)
            case UInt8(ascii: "\t"): buffer.append(contentsOf: "\\t".utf8)
            case UInt8(ascii: "\n"): buffer.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): buffer.append(contentsOf: "\\r".utf8)
            default: buffer.append(byte)
            }
        }
    }
}
