// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// A report's file while it is written.
@Suite struct WrittenFileTests {
    /// Nothing of a long report waits in memory for its end.
    @Test func `bytes are in the file as they come`() async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/revenue.csv"
            let file = try WrittenFile(at: path)
            for part in 1...3 {
                try file.append([UInt8](repeating: UInt8(ascii: "a"), count: 100_000))
                #expect(FileManager.default.contents(atPath: path)?.count == part * 100_000)
            }
            #expect(try file.finish().byteCount == 300_000)
        }
    }
}
