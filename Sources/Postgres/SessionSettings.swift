// SPDX-License-Identifier: Apache-2.0

/// What every session is opened with: it depends on nothing that somebody has set for its role, its database or the
/// server.
///
/// Statements and decoders rely on these values, so they are not for choosing.
package enum SessionSettings {
    /// Built-in names come first, so that no table of the same name hides one; a session's own tables come last, so
    /// that none hides one of ours.
    ///
    /// Nothing of ours lives in `public`, where others may create functions: the order does not decide between
    /// functions whose parameters differ, so that a migrator refuses those in our schemas that bear a built-in name.
    static let searchPath = "pg_catalog,subledger,marts,report,pg_temp"

    /// The oldest server version that the program runs on, as libpq counts versions.
    package static let oldestVersion: Int32 = 150_000

    /// Of every server of `oldestVersion` and newer.
    ///
    /// `row_security` is off so that a policy which hides rows is an error and never a smaller report. `jit` is off
    /// because just-in-time compilation cost up to a second where the planner overestimated the rows of a new table,
    /// and gained nothing anywhere.
    static let ofEveryVersion = [
        ("search_path", searchPath),
        ("TimeZone", "UTC"), ("DateStyle", "ISO,YMD"), ("IntervalStyle", "postgres"),
        ("standard_conforming_strings", "on"), ("bytea_output", "hex"), ("extra_float_digits", "1"),
        ("array_nulls", "on"), ("transform_null_equals", "off"), ("quote_all_identifiers", "off"),
        ("default_transaction_isolation", "read\\ committed"), ("default_transaction_deferrable", "off"),
        ("statement_timeout", "0"), ("lock_timeout", "0"), ("idle_in_transaction_session_timeout", "0"),
        ("idle_session_timeout", "0"), ("row_security", "off"), ("plan_cache_mode", "auto"),
        ("synchronize_seqscans", "on"), ("check_function_bodies", "on"), ("exit_on_error", "off"), ("jit", "off"),
    ]

    /// How the server finds out that a client's machine is gone: it ends the session then, with its locks, though the client was in the
    /// middle of a COPY.
    ///
    /// As long as libpq waits for the server, and what the configured URL says in its `options` wins: no statement relies on them. Any
    /// role may set them. Over a unix socket the server passes over them; a system that lacks one says so in the server's log, no more.
    static let keepalives = [
        ("tcp_keepalives_idle", "30"), ("tcp_keepalives_interval", "10"), ("tcp_keepalives_count", "3"),
        ("tcp_user_timeout", "60000"),
    ]

    /// Sent with the start-up packet rather than by SET: they hold from the first statement on and survive RESET.
    static let startUpOptions = options(ofEveryVersion)

    /// The same of the keepalives, which go before what the URL says.
    static let keepaliveOptions = options(keepalives)

    private static func options(_ settings: [(String, String)]) -> String {
        settings.map { "-c \($0)=\($1)" }.joined(separator: " ")
    }

    /// What a version that does not know it would refuse at the start: set once the version is read.
    static func ofVersion(_ version: Int32) -> [Statement] {
        // The second came with security updates of 2024.
        let hasRestriction = (150_008..<160_000).contains(version) || version >= 160_004
        return (version >= 170_000 ? [limitless] : []) + (hasRestriction ? [unrestricted] : [])
    }

    private static let limitless = Statement(name: "no limit on transactions", text: "set transaction_timeout = 0")
    private static let unrestricted = Statement(
        name: "no restriction of views", text: "set restrict_nonsystem_relation_kind = ''")
}
