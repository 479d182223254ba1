// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Whole milliseconds as libcurl takes them: rounded up, at least one, because libcurl reads 0 as "no limit", and
    /// no more than its 32 bits hold.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), 2_000_000)
        let fraction = max(attoseconds, 0)
        return max(1, Int(bounded) * 1_000 + Int((fraction + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
