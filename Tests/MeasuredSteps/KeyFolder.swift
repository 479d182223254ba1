// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport

/// Where the keys of a signing store lie: they are made by `openssl`, which valgrind does not let run.
struct KeyFolder: ParsableArguments {
    @Option(help: "Folder of the keys that `keys` made; unless said, others are made.") var keys: String?

    func signingStore() throws -> SigningStore {
        guard let keys else { return try SigningStore() }
        func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: "\(keys)/\(name)"))) }
        return try SigningStore(
            root: read("root.der"), chain: (0..<3).map { try read("chain-\($0).der") },
            privateKey: String(decoding: read("key.pem"), as: UTF8.self))
    }
}

/// Makes keys for the other steps.
struct Keys: ParsableCommand {
    @Argument(help: "An existing folder.") var folder: String

    func run() throws {
        let made = try SigningStore()
        func write(_ bytes: [UInt8], _ name: String) throws {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        try write(made.root, "root.der")
        for (number, certificate) in made.chain.enumerated() { try write(certificate, "chain-\(number).der") }
        try write(Array(made.privateKey.utf8), "key.pem")
    }
}
