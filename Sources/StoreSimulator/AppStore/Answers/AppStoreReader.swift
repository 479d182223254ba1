// SPDX-License-Identifier: Apache-2.0

/// Who asks, where, and what becomes of the answer.
struct AppStoreReader: Sendable {
    let app: SimulatedApp
    let environment: StoreEnvironment
    let usable: UsableContent
}

/// How much of an answer its reader can use: the books count nothing else as disclosed.
enum UsableContent: Sendable {
    case everything
    /// The rows are good, but where the subscription stands is a word nobody knows.
    case rows
    case nothing
}
