// SPDX-License-Identifier: Apache-2.0

package import Model

/// Somebody who wants to see how a run gets on.
package protocol NightProgress: Sendable {
    func planned(app: AppID, due: Int)
    func advanced(app: AppID, by count: Int)
    func finished()
}
