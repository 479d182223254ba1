// SPDX-License-Identifier: Apache-2.0

/// How much of an answer its reader can use: the books count nothing else as told.
enum Telling: Sendable {
    case everything
    /// The rows are good, but where the subscription stands is a word nobody knows.
    case rows
    case nothing
}
