// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HTTP

/// Reading what servers write in headers.
@Suite struct HeaderAndDateTests {
    @Test func `fields retain their order and spelling, and lose the blanks around their values`() {
        let headers = HTTPHeaders(
            block: Array("A: 1\r\nb:2\t \r\nA:  x: y \r\nEmpty:\r\nno field\r\n: no name\r\n\r\n".utf8))
        #expect(headers.fields.map(\.name) == ["A", "b", "A", "Empty"])
        #expect(headers.fields.map(\.value) == ["1", "2", "x: y", ""])
        #expect(headers["B"] == "2")
        #expect(headers.values(for: "a") == ["1", "x: y"])
        #expect(headers["empty"] == "")
        #expect(headers["c"] == nil)
    }

    @Test func `a date is read as Foundation reads it, leap days and century years included`() throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var seconds: Int64 = -2_000_000_000
        while seconds < 8_000_000_000 {
            let text = format.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(HTTPDate.seconds(from: text) == seconds)
            seconds += 86_400 * 13 + 3_661
        }
        #expect(HTTPDate.seconds(from: "Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds(from: "Tue, 29 Feb 2000 00:00:00 GMT") == 951_782_400)
    }

    @Test(
        arguments: [
            "", "784111777", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        ])
    func `any other form of a date is no date`(text: String) {
        #expect(HTTPDate.seconds(from: text) == nil)
    }
}
