// SPDX-License-Identifier: Apache-2.0

/// Reads what a store answered, in words every stage knows.
///
/// Pure: no clock, no I/O.
package protocol StoreReader: Sendable {
    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading
}
