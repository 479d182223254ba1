// SPDX-License-Identifier: Apache-2.0

/// A store with something that is cheaper to ask for many answers at once: a chunk's answers are kept until all are in.
package protocol CompletingStore: Store {
    /// Each answer comes back complete, or as the failure that it turned into. In the order given.
    ///
    /// - Throws: only what stops the app.
    func complete(
        _ answers: [StoreAnswer], through client: ThrottledClient
    ) async throws(StoreFailure) -> [Result<StoreAnswer, StoreFailure>]
}
