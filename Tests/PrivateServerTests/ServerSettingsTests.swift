// SPDX-License-Identifier: Apache-2.0

@testable import PrivateServer
import Testing

@Suite("What a private server is set to") struct ServerSettingsTests {
    private static let gigabyte: UInt64 = 1 << 30

    @Test(arguments: [(1, 128), (2, 128), (4, 256), (8, 512), (64, 512)])
    func `a sixteenth of the memory, no less than 128 and no more than 512 megabytes`(gigabytes: UInt64, megabytes: Int)
    {
        let settings = ServerSettings(memory: gigabytes * Self.gigabyte, durability: .durable)
        #expect(settings.lines.first == "shared_buffers = \(megabytes)MB")
        #expect(!settings.lines.contains { $0.contains("fsync") })
    }

    @Test func `a server of tests is one of many`() {
        let settings = ServerSettings(memory: 64 * Self.gigabyte, durability: .ephemeral)
        #expect(settings.lines.first == "shared_buffers = 128MB")
        #expect(settings.lines.contains("fsync = off"))
    }
}
