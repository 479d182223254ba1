// SPDX-License-Identifier: Apache-2.0

package import Postgres

extension SQL.Reports {
    /// The files that make functions, kept sums and views, in the order in which they are applied: a report may read the
    /// sums of another.
    package static let definitions: [Statement] =
        all.filter { $0.name.contains("_shared/") } + all.filter { $0.name.hasSuffix("/sums.sql") }
        + all.filter { $0.name.hasSuffix("/view.sql") }
}
