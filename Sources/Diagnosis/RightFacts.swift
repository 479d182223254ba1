// SPDX-License-Identifier: Apache-2.0

/// What the role may do, and whether the schema is the program's.
package struct RightFacts: Sendable {
    /// CREATE on the database.
    package var mayCreate: Bool
    /// TEMP on the database.
    package var hasTemp: Bool
    /// Three schemas of our names are there and the role's own.
    package var hasSchemas: Bool
    /// Whose the schema is; nil: it is to be made.
    package var owner: String?
    /// So many files of this program are not applied.
    package var outstanding: Int
    /// Why a writing job would refuse, and what to do; nil: it would not.
    package var obstacle: String?

    package init(
        mayCreate: Bool, hasTemp: Bool, hasSchemas: Bool = false, owner: String? = nil, outstanding: Int = 0,
        obstacle: String? = nil
    ) {
        (self.mayCreate, self.hasTemp, self.hasSchemas) = (mayCreate, hasTemp, hasSchemas)
        (self.owner, self.outstanding, self.obstacle) = (owner, outstanding, obstacle)
    }

    func findings(of role: String, in database: String) -> [Finding] {
        let temp = Finding.toDo(
            "rights",
            "role \(role) may make no temporary tables, which every report needs: grant temporary on database \(database) to "
                + "\(role)")
        if let obstacle { return [.toDo("schema", obstacle)] }
        guard let owner else {
            let found = (mayCreate || hasSchemas ? [] : [noPlace(role, database)]) + (hasTemp ? [] : [temp])
            return found.isEmpty
                ? [.fine("rights", "role \(role) may make the schema, which its first job does")] : found
        }
        let schema =
            outstanding == 0
            ? "it is this version's, and belongs to \(owner)"
            : "\(outstanding) files of this version are not applied yet: the next writing job does it, or subledger migrate"
        return [.fine("schema", schema), hasTemp ? .fine("rights", "role \(role) has what a night needs") : temp]
    }

    private func noPlace(_ role: String, _ database: String) -> Finding {
        .toDo(
            "rights",
            "role \(role) may make nothing in database \(database): grant create on database \(database) to \(role); or run "
                + "subledger migrate as the role that is to own the schema, and grant subledger_night to \(role)")
    }
}
