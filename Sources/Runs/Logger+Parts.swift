// SPDX-License-Identifier: Apache-2.0

package import Logging

extension Logger {
    /// Says how far a build of the reports' tables is, where it has several parts.
    package func partsOfTables(_ made: Int64, of parts: Int64) {
        if parts > 1 { notice("report tables: part \(made) of \(parts) made") }
    }
}
