// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import subledger

/// The program as the release after this one might be: the same jobs, and one more migration, which is made up.
///
/// `scripts/package --check` upgrades to it. It is linked like the program, of the same objects, so that a trial of an upgrade needs no
/// second build.
@main
struct NextRelease {
    /// Numbered behind all that there will be.
    private static let migration = Statement(
        name: "migrations/9999_made_up.sql",
        text: """
            alter table subledger.transactions add column made_up text not null default 'made up';
            comment on column subledger.transactions.made_up is 'What the release after this one might add';
            """)

    static func main() async {
        let today = SchemaTexts.ofThisProgram
        let later = SchemaTexts(
            tables: today.tables, functions: today.functions, migrations: today.migrations + [migration],
            facts: today.facts)
        await SchemaTexts.$ofThisProgram.withValue(later) { await Subledger.main(commit: nil) }
    }
}
