// SPDX-License-Identifier: Apache-2.0

extension ConnectionHandle {
    /// An open connection to a server on which the settings that every session has can be made.
    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        let handle = ConnectionHandle(connecting: configuration.connectionOptions)
        guard handle.isOpen else {
            let reason = handle.message
            // A server that said nothing within the limit is not asked a second time for its reason.
            let state = handle.isTimedOut ? nil : handle.refusalState()
            throw ConnectionRefusal.error(reason, sqlState: state, to: configuration)
        }
        try handle.checkServer(of: configuration)
        self = handle
    }

    private func checkServer(of configuration: PostgresConfiguration) throws(PostgresError) {
        guard serverVersion >= SessionSettings.oldestVersion else {
            throw ConnectionRefusal.tooOld(configuration, version: reported("server_version"))
        }
        guard configuration.purpose == .reading || reported("default_transaction_read_only") != "on" else {
            throw ConnectionRefusal.readOnly(configuration)
        }
    }
}
