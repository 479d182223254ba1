// SPDX-License-Identifier: Apache-2.0

import Foundations

/// A value of an imported JSON object: a text, a number, true or false, or nothing.
struct ImportValue {
    /// Nil for null and for an empty text.
    let text: String?
    /// A whole number may be an id; anything else but a text is none.
    let isTextOrWhole: Bool

    /// Nil for an object, an array, and a number that is too large to be one.
    init?(_ value: JSONDocument.Value, of document: JSONDocument) {
        if document.isNull(value) {
            (text, isTextOrWhole) = (nil, true)
        } else if let string = document.text(value) {
            (text, isTextOrWhole) = (string.isEmpty ? nil : string, true)
        } else if let whole = document.whole(value) {
            (text, isTextOrWhole) = (String(whole), true)
        } else if let choice = document.flag(value) {
            (text, isTextOrWhole) = (String(choice), false)
        } else {
            guard let decimal = document.decimal(value) else { return nil }
            (text, isTextOrWhole) = ("\(decimal)", false)
        }
    }
}
