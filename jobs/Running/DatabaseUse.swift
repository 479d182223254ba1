// SPDX-License-Identifier: Apache-2.0

/// What a job asks of the database.
enum DatabaseUse: Equatable {
    case writing
    /// Looking only: at the standby, where one is configured.
    case reading
    /// Looking only, in tables that are made for the session: a standby cannot have any. The job is named as people call it.
    case readingInTables(job: String)
}
