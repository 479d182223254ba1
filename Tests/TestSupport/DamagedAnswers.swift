// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a loopback server says next: one damaged document after the other, each until the next is put in its place.
package final class DamagedAnswers: Sendable {
    /// Every damage of a document, and the document cut at every byte, as it went over the wire.
    package let all: [DamagedJSON]
    private let current: Mutex<[UInt8]>

    package init(of document: [UInt8]) throws {
        var all: [DamagedJSON] = []
        try DamagedJSON.forEach(of: document) { all.append($0) }
        self.all = all + document.indices.map { DamagedJSON(cutting: document, after: $0) }
        current = Mutex(document)
    }

    package func report(_ damage: DamagedJSON) { current.withLock { $0 = damage.bytes } }

    package var answer: LoopbackServer.Answer {
        var answer = LoopbackServer.Answer(200)
        answer.body = current.withLock { $0 }
        return answer
    }
}
