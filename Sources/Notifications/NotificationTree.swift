// SPDX-License-Identifier: Apache-2.0

import Foundations

/// A notification of whatever form, to be looked into by path.
struct NotificationTree {
    private let document: JSONDocument

    /// Nil where it is no JSON object or array.
    init?(_ json: [UInt8]) {
        guard let document = JSONDocument(json) else { return nil }
        self.document = document
    }

    /// What a dotted path leads to, as it is written in a cell; nil where it leads nowhere.
    ///
    /// An array represents its first element, unless the path gives a number (from 0).
    func cell(at path: String) -> Cell? {
        var place: JSONDocument.Value? = document.root
        for name in path.split(separator: ".", omittingEmptySubsequences: false) {
            place = place.flatMap { Self.member(String(name), of: $0) }
        }
        return place.map { Cell(text: text(of: $0)) }
    }

    /// What a path led to.
    struct Cell {
        /// Nil for null; what has members as JSON.
        let text: String?
    }

    private static func member(_ name: String, of value: JSONDocument.Value) -> JSONDocument.Value? {
        guard let elements = value.elements else { return value[name] }
        guard let place = Int(name) else { return elements.first.flatMap { member(name, of: $0) } }
        return elements.indices.contains(place) ? elements[place] : nil
    }

    private func text(of value: JSONDocument.Value) -> String? {
        switch value {
        case .text: document.text(value)
        case .scalar:
            document.flag(value).map { $0 ? "true" : "false" } ?? document.whole(value).map { String($0) }
                ?? document.decimal(value).map { "\($0)" }
        case .array, .object:
            (try? JSONText.encode(JSONNode(value, of: document))).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
