// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

@Suite struct CSVRecordsTests {
    private static func records(_ text: String) -> [CSVRecords.Record] {
        Array(CSVRecords(Array(text.utf8)[...]))
    }

    @Test func `quoted fields have commas, quotes and line breaks, and lines end in LF or CRLF`() {
        let records = Self.records("a,b\r\n\"x,y\",\"say \"\"hi\"\"\"\n\n\"two\nlines\",\n,last")
        #expect(records.map(\.fields) == [["a", "b"], ["x,y", "say \"hi\""], ["two\nlines", ""], ["", "last"]])
        #expect(records.map(\.line) == [1, 2, 4, 6])
        #expect(records.allSatisfy { $0.problem == nil })
        #expect(Array(records[1].bytes) == Array("\"x,y\",\"say \"\"hi\"\"\"".utf8))
    }

    @Test func `a record that is not well formed says so, and the next is read`() {
        let records = Self.records("\"a\"b,c\nd,e\n\"open")
        #expect(records.map { $0.problem != nil } == [true, false, true])
        #expect(records[1].fields == ["d", "e"])
    }

    @Test func `a field that is no UTF-8 is a problem of its record`() {
        let records = Array(CSVRecords([0x61, 0x2C, 0xFF, 0x0A, 0x62][...]))
        #expect(records.map(\.fields) == [["a", ""], ["b"]])
        #expect(records.map(\.problem) == ["it is not UTF-8 text", nil])
    }

    @Test func `a byte order mark is no part of the text`() {
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("a,b".utf8)
        #expect(Array(marked.withoutByteOrderMark) == Array("a,b".utf8))
        #expect(Array("a,b".utf8).withoutByteOrderMark == Array("a,b".utf8)[...])
    }
}
