// SPDX-License-Identifier: Apache-2.0

/// The exchange rates of the Summary: of each currency in use the newest one that money was converted with.
enum UsedRates {
    static let columns: [SheetColumn] = [
        SheetColumn(name: "currency", kind: .text, definition: "ISO 4217 code of a currency in use"),
        SheetColumn(name: "converted_into", kind: .text, definition: "ISO 4217 code of the reporting currency"),
        SheetColumn(
            name: "rate", kind: .rate,
            definition: "Units of converted_into for one of the currency, on the last day; empty where none is known"
        ),
        SheetColumn(name: "published", kind: .date, definition: "Day of publication, before that of the purchase"),
        SheetColumn(name: "source", kind: .text, definition: "Who published it: ecb, or the name given to the import"),
        SheetColumn(name: "remark", kind: .text, definition: "What is odd about it"),
    ]
}
