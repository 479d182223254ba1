// SPDX-License-Identifier: Apache-2.0

/// Somebody else registered a subscription between our look and our writing: roll back, look again, and write again.
package struct Overtaken: Error {
    package init() {}
}
