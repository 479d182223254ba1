// SPDX-License-Identifier: Apache-2.0

/// What people call an app: its title with the id behind it, by which files, commands and settings name it; without a title the id.
package struct AppName: CustomStringConvertible, Sendable {
    package let description: String

    package init(_ id: String, title: String?) { description = title.map { "\($0) (\(id))" } ?? id }
}
