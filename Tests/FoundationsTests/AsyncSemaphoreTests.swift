// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import Foundations

@Suite struct AsyncSemaphoreTests {
    @Test func `who waits is served in the order of coming`() async {
        let permits = AsyncSemaphore(1)
        #expect(await permits.acquire())
        let order = Order()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                group.addTask {
                    #expect(await permits.acquire())
                    order.append(number)
                    permits.release()
                }
                while permits.waiting < number + 1 { await Task.yield() }
            }
            permits.release()
        }
        #expect(order.numbers == [0, 1, 2, 3, 4])
    }

    @Test func `a cancelled waiter gives up and its place goes to the next`() async {
        let permits = AsyncSemaphore(1)
        #expect(await permits.acquire())
        let impatient = Task { await permits.acquire() }
        while permits.waiting < 1 { await Task.yield() }
        let patient = Task { await permits.acquire() }
        while permits.waiting < 2 { await Task.yield() }
        impatient.cancel()
        #expect(await impatient.value == false)
        permits.release()
        #expect(await patient.value)
    }

    @Test func `who is cancelled before asking gets none`() async {
        let permits = AsyncSemaphore(1)
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await permits.acquire()
        }
        #expect(await task.value == false)
        #expect(await permits.acquire())
    }
}

/// Who came when.
private final class Order: Sendable {
    private let storage = Mutex<[Int]>([])

    var numbers: [Int] { storage.withLock { $0 } }

    func append(_ number: Int) { storage.withLock { $0.append(number) } }
}
