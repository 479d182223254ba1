// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Yams

/// The kinds of values a section holds. Each gives nil for a value that is left out or wrong; the wrong is reported.
extension Section {
    /// A scalar as it is written.
    func text(_ key: String) -> String? {
        guard let entry = entry(key) else { return nil }
        guard case .scalar(let scalar) = entry.node else {
            find(key, "must be a single value")
            return nil
        }
        guard !entry.node.isEmptyScalar, !scalar.string.isEmpty else {
            find(key, "is empty")
            return nil
        }
        return scalar.string
    }

    /// A scalar that must be there.
    func requiredText(_ key: String) -> String? {
        guard has(key) else {
            find(key, "is missing")
            return nil
        }
        return text(key)
    }

    /// A scalar that the test accepts; `kind` says what it should have been.
    func text(_ key: String, being kind: String, where isRight: (String) -> Bool) -> String? {
        guard let text = text(key) else { return nil }
        guard isRight(text) else {
            find(key, "must be \(kind), not `\(text.shortened)`")
            return nil
        }
        return text
    }

    /// One of the words of a vocabulary.
    func word<Word: RawRepresentable & CaseIterable>(_ key: String, as type: Word.Type) -> Word?
    where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue).joined(separator: " or ")
        return text(key, being: words) { Word(rawValue: $0) != nil }.flatMap(Word.init(rawValue:))
    }

    /// A whole number within bounds.
    func integer(_ key: String, in bounds: ClosedRange<Int64>) -> Int64? {
        text(key, being: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)") {
            Int64($0).map(bounds.contains) ?? false
        }.flatMap { Int64($0) }
    }

    /// A rate: one request in a quarter of an hour is the least that makes a program of it.
    func rate(_ key: String) -> Double? {
        text(key, being: "a number from 0.001 to 10000") {
            Double($0).map { (0.001...10_000).contains($0) } ?? false
        }.flatMap { Double($0) }
    }

    /// A length of time such as `1d`, `5h` or `90m`.
    func span(_ key: String) -> Span? {
        text(key, being: "a length of time such as 1d, 5h or 30m") { SpanText.parse($0) != nil }
            .flatMap(SpanText.parse)
    }

    /// `10%`.
    func percent(_ key: String, in bounds: ClosedRange<Int> = 0...100) -> Int? {
        let number: (String) -> Int? = { $0.hasSuffix("%") ? Int($0.dropLast()) : nil }
        return text(key, being: "a percentage from \(bounds.lowerBound)% to \(bounds.upperBound)%") {
            number($0).map(bounds.contains) ?? false
        }.flatMap(number)
    }

    /// The value was taken away on purpose.
    func isOff(_ key: String) -> Bool { entry(key)?.node.string == "off" }

    /// ISO 3166-1 alpha-2.
    func country(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        guard text.isCapitals(2), Country.code(text) != nil else {
            find(key, "must be a country of \(Country.fault(of: text)), not `\(text.shortened)`")
            return nil
        }
        return text
    }

    /// An address to talk to, without a slash at its end: https, or http to this machine.
    func url(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        guard let parts = Self.parts(of: text), parts.query == nil else {
            find(key, "must be a URL such as https://host:port, without user, query or fragment")
            return nil
        }
        guard Self.isSafe(parts) else {
            find(key, "must begin with https:// (http:// only to a loopback host)")
            return nil
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The same of a text that is never repeated; it may have a query.
    static func isURL(_ text: String) -> Bool { parts(of: text).map(isSafe) ?? false }

    private static func parts(of text: String) -> URLComponents? {
        guard !text.contains(where: \.isWhitespace), let parts = URLComponents(string: text), let host = parts.host,
            !host.isEmpty, parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        return parts
    }

    private static func isSafe(_ parts: URLComponents) -> Bool {
        parts.scheme == "https" || (parts.scheme == "http" && parts.host?.isLoopback == true)
    }
}

extension String {
    /// That many capital letters and nothing else.
    func isCapitals(_ count: Int) -> Bool {
        utf8.count == count && utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// For repeating what somebody wrote: never long, never a control character.
    var shortened: String {
        let clean = String(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
        return clean.count > 40 ? clean.prefix(40) + "…" : clean
    }

    fileprivate var isLoopback: Bool {
        let bare = trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
        let octets = bare.split(separator: ".", omittingEmptySubsequences: false)
        let isFourBytes = octets.count == 4 && octets.allSatisfy { UInt8($0) != nil }
        return bare == "localhost" || bare == "::1" || (isFourBytes && octets[0] == "127")
    }
}
