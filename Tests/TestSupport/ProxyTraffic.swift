// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// What all connections of a proxy have in common: how much has gone either way, and what is planned.
final class ProxyTraffic: Sendable {
    /// What becomes of a piece of what is said.
    struct Verdict {
        /// So many of its bytes are passed on.
        var passed: Int
        /// What then happens to its connection.
        var fault: CuttingProxy.Fault?
    }

    private struct Planned {
        let fault: CuttingProxy.Fault
        let place: CuttingProxy.Place
        /// Bytes or words that are still to come before it happens.
        var left: Int
    }

    private struct State {
        var bytes: [CuttingProxy.Direction: Int] = [:]
        var planned: [Planned] = []
        var struck = 0
        var delay = Duration.zero
        var isFrozen = false
        var limit: Int?
    }

    private let state = Mutex(State())

    func bytes(_ direction: CuttingProxy.Direction) -> Int { state.withLock { $0.bytes[direction, default: 0] } }
    var struck: Int { state.withLock { $0.struck } }
    var limit: Int? { state.withLock { $0.limit } }

    func limit(to bytes: Int) { state.withLock { $0.limit = bytes } }
    func delay(by time: Duration) { state.withLock { $0.delay = time } }
    func setFrozen(_ isFrozen: Bool) { state.withLock { $0.isFrozen = isFrozen } }

    func plan(_ fault: CuttingProxy.Fault, at place: CuttingProxy.Place) {
        let left =
            switch place {
            case .byte(let number, _): number
            case .words(_, let time): time
            }
        state.withLock { $0.planned.append(Planned(fault: fault, place: place, left: left)) }
    }

    func waitUntilThawed() {
        let delay = state.withLock { $0.delay }
        if delay > .zero { Thread.sleep(forTimeInterval: delay / .seconds(1)) }
        while state.withLock({ $0.isFrozen }) { Thread.sleep(forTimeInterval: 0.002) }
    }

    /// Counts a piece, and finds the first fault planned for it.
    func verdict(of bytes: [UInt8], _ direction: CuttingProxy.Direction) -> Verdict {
        state.withLock { state in
            var verdict = Verdict(passed: bytes.count, fault: nil)
            for index in state.planned.indices where verdict.fault == nil {
                guard let passed = Self.passed(of: bytes, direction, before: &state.planned[index]) else { continue }
                verdict = Verdict(passed: passed, fault: state.planned[index].fault)
                state.planned[index].left = -1
                state.struck += 1
            }
            state.planned.removeAll { $0.left < 0 }
            state.bytes[direction, default: 0] += verdict.passed
            return verdict
        }
    }

    /// How much of a piece is passed on before that happens in it; nil where it does not happen in it.
    private static func passed(
        of bytes: [UInt8], _ direction: CuttingProxy.Direction, before planned: inout Planned
    ) -> Int? {
        switch planned.place {
        case .byte(_, direction):
            guard planned.left < bytes.count else {
                planned.left -= bytes.count
                return nil
            }
            return planned.left
        case .words(let words, _) where direction == .toServer:
            let found = count(of: Array(words.lowercased().utf8), in: bytes)
            guard found > 0, planned.left <= found else {
                planned.left -= found
                return nil
            }
            // A cut comes before the words are heard; an answer is lost after it.
            return planned.fault == .answerLost ? bytes.count : 0
        case .byte, .words: return nil
        }
    }

    /// A query is sent in one piece: none of its words falls between two.
    private static func count(of words: [UInt8], in bytes: [UInt8]) -> Int {
        let lowered = bytes.map { (65...90).contains($0) ? $0 + 32 : $0 }
        return lowered.indices.count { lowered[$0...].starts(with: words) }
    }
}
