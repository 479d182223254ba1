// SPDX-License-Identifier: Apache-2.0

/// What a store's room makes of one HTTP answer, before anybody reads it closely.
package enum ResponseDisposition: Sendable {
    /// An answer to read.
    case accept
    /// May succeed if asked again, not before `after`. `finally` is the failure when it never does; nil is a
    /// transient one. `reason` is a short word for the table, such as `http_503`.
    case retry(after: Duration?, reason: String, finally: StoreFailure? = nil)
    /// The same, said by the store in a body of its own about what was asked for.
    case refuseForNow(after: Duration?, reason: String)
    /// Over the store's quota: the endpoint is closed for everybody until then.
    case tooMany(retryAfter: Duration?)
    /// Asking again would not help.
    case fail(StoreFailure)
}
