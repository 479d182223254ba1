// SPDX-License-Identifier: Apache-2.0

extension PostgresConfiguration {
    /// What sessions are opened for.
    package enum Purpose: Sendable, Hashable {
        /// Writing, be it tables of the session alone: a server that takes writes, whatever else the URL allows.
        case writing
        /// Looking: the servers that the URL allows, in read-only sessions, too.
        case reading

        /// Whether a primary has to be asked for in place of these `target_session_attrs`.
        ///
        /// libpq's read-write also refuses a primary whose sessions were made read-only, in the words that it has for a standby.
        func needsPrimary(insteadOf attributes: String) -> Bool {
            switch self {
            case .writing: ["read-write", "any", "read-only", "standby", "prefer-standby"].contains(attributes)
            case .reading: attributes == "read-write"
            }
        }
    }
}
