// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON document of unknown form: to be looked into by path.
indirect enum JSONTree: Codable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Decimal)
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let array = try? container.decode([JSONTree].self) {
            self = .array(array)
        } else if let object = try? container.decode([String: JSONTree].self) {
            self = .object(object)
        } else {
            self = .number(try container.decode(Decimal.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }

    /// What a dotted path leads to; nil where it leads nowhere. An array represents its first element, unless the path
    /// gives a number (from 0).
    subscript(path: String) -> JSONTree? {
        path.split(separator: ".", omittingEmptySubsequences: false).reduce(self) { $0?.member(String($1)) }
    }

    private func member(_ name: String) -> JSONTree? {
        switch self {
        case .object(let object): object[name]
        case .array(let array):
            if let place = Int(name) {
                array.indices.contains(place) ? array[place] : nil
            } else {
                array.first?.member(name)
            }
        default: nil
        }
    }

    /// As it is written in a cell: nil for null; what has members as JSON.
    var cell: String? {
        switch self {
        case .null: return nil
        case .flag(let flag): return flag ? "true" : "false"
        case .integer(let integer): return String(integer)
        case .number(let number): return "\(number)"
        case .text(let text): return text
        case .array, .object:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
