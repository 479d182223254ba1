// SPDX-License-Identifier: Apache-2.0

import Stores
import Testing

@Suite struct AnswerBufferTests {
    @Test func `what all hold together fills it, and what is released makes room for all`() {
        let buffer = AnswerBuffer(limit: 250)
        let (first, second) = (buffer.share(), buffer.share())
        first.hold(200)
        #expect(!first.isFull && !second.isFull)
        second.hold(50)
        #expect(first.isFull && second.isFull)
        first.release()
        #expect(!first.isFull && !second.isFull)
        // What is released is released once.
        first.release()
        first.hold(199)
        #expect(!second.isFull)
        first.hold(1)
        #expect(second.isFull)
    }
}
