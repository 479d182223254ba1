// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

@Suite struct HexTests {
    @Test func `each byte is two lower-case digits, the higher half first`() {
        #expect(Hex.encode([0x00, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
        #expect(Hex.encode([]) == "")
        var text = Array("x:".utf8)
        Hex.append([0xBE, 0xEF], to: &text)
        #expect(text == Array("x:beef".utf8))
    }

    @Test func `every byte is read as it was written`() {
        let bytes = (0...255).map(UInt8.init)
        let digits = Array(Hex.encode(bytes).utf8)
        #expect(Hex.decode(digits[...]) == bytes)
        #expect(Hex.decode(digits[20..<24]) == [10, 11])
    }

    @Test(arguments: ["0", "0g", "0F", " 0", "zz", "é"])
    func `any other text is none`(text: String) {
        #expect(Hex.decode(Array(text.utf8)[...]) == nil)
    }
}
