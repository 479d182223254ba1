// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

/// What can be an id of a store, and what a spreadsheet or a mistake made of one.
@Suite struct StoreIDTests {
    private static func fault(_ text: String, _ store: StoreKind) -> StoreID.Fault? {
        do throws(StoreID.Fault) {
            _ = try StoreID.checked(text, of: store)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["1", "200000000000001", "99999999999999999999"])
    func `an App Store id has 1 to 20 digits, the first of them not 0`(id: String) {
        #expect(Self.fault(id, .appStore) == nil)
        #expect(Self.fault("0" + id, .appStore) == .noNumber)
    }

    @Test(arguments: [
        "200000000000001.0", "2.0e14", "2E+14", "2,00E+14", "'200000000000001", "=\"200000000000001\"",
        "200,000,000,000,001",
        "200.000.000.000.001", "200 000 000 000 001", "\"200000000000001\"", "200\u{A0}000\u{A0}000", "200’000’000",
    ])
    func `what a spreadsheet makes of a number is named`(text: String) {
        #expect(Self.fault(text, .appStore) == .changedBySpreadsheet)
    }

    @Test(arguments: ["", "abc", "receipt-1", "123456789012345678901", "１２３", "-5", "+5", "12a"])
    func `any other text is no App Store id`(text: String) {
        #expect(Self.fault(text, .appStore) == .noNumber)
    }

    @Test(arguments: ["abcde", "opaque-token-0001", String(repeating: "x", count: 2_000), "a.b_c-d.AO-J1", "12345"])
    func `a purchase token has 5 to 2,000 visible ASCII characters`(token: String) {
        #expect(Self.fault(token, .googlePlay) == nil)
    }

    @Test(arguments: [
        ("GPA.3345-1234-5678-90123", StoreID.Fault.orderID), ("gpa.3345-1234-5678-90123..0", .orderID),
        ("12999763169054705758.1375794066587622", .orderID), ("abcd", .noToken), ("a b c d e", .noToken),
        ("opaque-token-例", .noToken), (String(repeating: "x", count: 2_001), .noToken),
        ("=\"opaque-token\"", .changedBySpreadsheet),
        ("'opaque-token", .changedBySpreadsheet), ("1.2E+15", .changedBySpreadsheet),
    ])
    func `what is no purchase token is named`(_ other: (text: String, fault: StoreID.Fault)) {
        #expect(Self.fault(other.text, .googlePlay) == other.fault)
    }

    @Test func `white space around it is cut`() throws {
        let around = "\u{FEFF} \t\r\n\u{200B}\u{3000}"
        let id = try StoreID.checked(around + "200000000000001" + around, of: .appStore)
        #expect(id == "200000000000001")
        #expect(StoreID.trimmed(around) == "")
    }
}
