// SPDX-License-Identifier: Apache-2.0

/// Whose secrets a job reads.
///
/// Those of others are left alone: what is wrong with a chat's webhook never stops a night.
enum KeyFiles {
    case ofStores
    case ofRecipients
    case none
}
