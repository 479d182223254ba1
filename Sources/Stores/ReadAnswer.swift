// SPDX-License-Identifier: Apache-2.0

/// What a store answered, and what was read out of it.
package struct ReadAnswer: Sendable {
    package let answer: StoreAnswer
    /// What was read, or why it cannot be read.
    package let reading: Result<Reading, UnreadableAnswer>

    package init(_ answer: StoreAnswer, by reader: any StoreReader) {
        self.init(answer, reading: Result { () throws(UnreadableAnswer) in try reader.read(answer) })
    }

    package init(_ answer: StoreAnswer, reading: Result<Reading, UnreadableAnswer>) {
        self.answer = answer
        self.reading = reading
    }
}
