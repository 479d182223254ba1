// SPDX-License-Identifier: Apache-2.0

package import Postgres

extension SQL.Reports {
    /// One view for each report, and those that only BI tools read, in the order of their names, those over other
    /// reports last.
    ///
    /// They name tables without a schema: the same text reads the marts, and the tables of a session.
    package static let views: [Statement] = ownViews.filter { !isOverReports($0) } + viewsOverReports
    /// Those that read the rows of other reports.
    package static let viewsOverReports: [Statement] = ownViews.filter(isOverReports)
    /// Those of reports alone, which an issue reads several times each; not those for BI tools.
    package static let reportViews: [Statement] = views.filter(Marts.all.contains)
    private static let ownViews: [Statement] = named("/view.sql")

    /// The report that a file of its folder is of.
    package static func report(of file: Statement) -> String {
        file.name.split(separator: "/").dropLast().last.map(String.init) ?? ""
    }

    /// As it says at its head.
    private static func isOverReports(_ view: Statement) -> Bool {
        !Set(ReportSource.names(of: view)).isDisjoint(with: ownViews.map(report))
    }

    /// What the views and their columns mean: comments.
    package static let columns: [Statement] = named("/columns.sql")
    /// Functions, views and their comments: the change of one applies all of them.
    package static let definitions: [Statement] =
        [Refresh.upkeep] + Functions.all + [Refresh.scope] + views + columns

    private static func named(_ ending: String) -> [Statement] {
        (Marts.all + Analysis.all).filter { $0.name.hasSuffix(ending) }
    }
}
