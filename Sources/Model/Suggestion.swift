// SPDX-License-Identifier: Apache-2.0

/// The known word that somebody who mistyped another probably meant.
package enum Suggestion {
    /// The nearest of the known words, if it is near enough to be meant.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let ranked = known.map { (word: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(2, best.word.count / 4) ? best.word : nil
    }

    /// Insertions, deletions and substitutions between the two (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let substituted = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j + 1] + 1, row[j] + 1)
            }
        }
        return row[right.count]
    }
}
