// SPDX-License-Identifier: Apache-2.0

/// A configuration that could be read, and the files it names that could not be used.
package struct ConfigurationFacts: Sendable {
    package var path: String
    package var apps: Int
    /// A line each, with the place in the file and what to do.
    package var problems: [String]
    /// The database's URL has a password in it.
    package var hasPassword: Bool
    /// Others may read the file; they may write it.
    package var isReadable: Bool
    package var isWritable: Bool

    package init(
        path: String, apps: Int, problems: [String] = [], hasPassword: Bool = false, isReadable: Bool = false,
        isWritable: Bool = false
    ) {
        (self.path, self.apps, self.problems) = (path, apps, problems)
        (self.hasPassword, self.isReadable, self.isWritable) = (hasPassword, isReadable, isWritable)
    }

    var findings: [Finding] {
        let found = problems.map { Finding.toDo("configuration", $0) } + modes
        guard found.isEmpty else { return found }
        let number = apps == 1 ? "1 app" : "\(apps) apps"
        return [.fine("configuration", "\(path), \(number); its key files can be used")]
    }

    private var modes: [Finding] {
        var found: [Finding] = []
        if isWritable {
            found.append(.toDo("configuration", "\(path) can be written by others: run chmod o-w,g-w on it"))
        }
        if hasPassword, isReadable {
            found.append(
                .toDo(
                    "configuration",
                    "\(path) can be read by others, and database.url has a password: run chmod 600 on it, or let libpq take the "
                        + "password from a file (passfile=)"))
        }
        return found
    }
}
