// SPDX-License-Identifier: Apache-2.0

import CLibPQ

/// libpq's own reading of connection strings, environment and service files as plain dictionaries.
@safe enum ConnectionOptions {
    /// The keywords that a URL or `key=value` string sets; nil if libpq cannot read it.
    ///
    /// libpq's message is dropped because it quotes the text, password included.
    static func parse(_ text: String) -> [String: String]? {
        guard !text.utf8.contains(0) else { return nil }
        var message: UnsafeMutablePointer<CChar>?
        let options = unsafe PQconninfoParse(text, &message)
        defer {
            unsafe PQfreemem(message)
            unsafe PQconninfoFree(options)
        }
        return unsafe options.map { unsafe values($0) }
    }

    /// What libpq takes from the environment and its built-in defaults.
    static func defaults() -> [String: String] {
        let options = unsafe PQconndefaults()
        defer { unsafe PQconninfoFree(options) }
        return unsafe options.map { unsafe values($0) } ?? [:]
    }

    private static func values(_ first: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = unsafe first
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val, unsafe value.pointee != 0 {
                unsafe values[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return values
    }
}
