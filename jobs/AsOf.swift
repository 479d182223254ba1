// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Model
import Operations

extension AsOf: ExpressibleByArgument {
    package init?(argument: String) {
        let seal = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard seal.first != "seal" else {
            guard seal.count == 2, let number = Int64(seal[1]), number > 0 else { return nil }
            self = .seal(number)
            return
        }
        guard let instant = Instant(argument: argument) else { return nil }
        self = .instant(instant)
    }
}
