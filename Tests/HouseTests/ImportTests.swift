// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The walls of the house: every import line against what its target declares.
///
/// The build's own check lets an import through that reaches a target only by way of another; this one does not.
@Suite struct ImportTests {
    /// What comes with the toolchain.
    private static let toolchain: Set<String> = [
        "Foundation", "Dispatch", "Synchronization", "Testing", "Glibc", "PackageDescription", "PackagePlugin",
    ]
    /// Targets that only some others may reach, whoever declares them.
    private static let onlyImporters: [String: Set<String>] = [
        "CLibPQ": ["Postgres"], "CLibCURL": ["HTTP"], "COpenSSL": ["Signing", "TLSServer"], "CXLSXWriter": ["Workbook"],
        "CProcess": ["Program"], "Subprocess": ["PrivateServer"],
        "PrivateServer": ["subledger", "TestSupport", "PrivateServerTests", "JobsTests", "NightTests"],
        "Workbook": ["Rendering", "RenderingTests"],
        "AppStore": ["subledger", "AppStoreTests", "JobsTests", "measured-steps"],
        "GooglePlay": ["subledger", "GooglePlayTests", "JobsTests"],
    ]
    private static let stages: Set<String> = ["Extract", "Fetch", "Transform", "Load", "Issues"]
    /// What the last stage is made of.
    private static let reports: Set<String> = ["Marts", "Rendering"]
    /// What composes the stages, one room for each work.
    private static let rooms: Set<String> = [
        "Nightly", "Intake", "Notifications", "Imports", "Operations", "Delivery", "Diagnosis",
    ]

    @Test func `every import is declared by its target`() throws {
        var found = 0
        for target in try PackageDescription.read().targets where target.type != "system-target" {
            for file in try Repository.files(below: target.path, ending: ".swift") {
                for module in Self.imports(in: file.text) {
                    found += 1
                    let isAllowed = Self.toolchain.contains(module) || target.allowedImports.contains(module)
                    #expect(isAllowed, "\(file.path) imports \(module), which target \(target.name) does not declare")
                }
            }
        }
        #expect(found > 200, "the import lines were not found")
    }

    @Test func `stores and libraries are reached by their owners only`() throws {
        for target in try PackageDescription.read().targets {
            for (module, importers) in Self.onlyImporters where target.allowedImports.contains(module) {
                #expect(importers.contains(target.name), "target \(target.name) may not depend on \(module)")
            }
        }
    }

    @Test func `libraries in C and Foundations import nothing of ours`() throws {
        let targets = try PackageDescription.read().targets
        let lowest = targets.filter { $0.type == "system-target" || $0.name == "Foundations" }
        #expect(lowest.count > 5)
        for target in lowest {
            #expect(target.allowedImports.isDisjoint(with: targets.map(\.name)), "\(target.name) rests on another")
        }
    }

    /// The two must be able to disagree on days, shares and sums.
    @Test(arguments: ["StoreSimulator", "SimulatorServer", "storesim", "TLSServer", "StoreCoverage"])
    func `simulated stores do not rest on Foundations`(name: String) throws {
        let target = try #require(try PackageDescription.read().targets.first { $0.name == name })
        #expect(!target.allowedImports.contains("Foundations"))
    }

    @Test func `stages never import each other`() throws {
        for target in try PackageDescription.read().targets where Self.stages.contains(target.name) {
            let others = target.name == "Issues" ? Self.stages : Self.stages.union(Self.reports)
            #expect(target.allowedImports.isDisjoint(with: others), "stage \(target.name) reaches another stage")
        }
    }

    @Test func `tables of reports know no files, and what renders knows no database`() throws {
        let targets = try PackageDescription.read().targets
        let declared = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.allowedImports) })
        #expect(try #require(declared["Marts"]) == ["Model", "Postgres", "SQLCatalog"])
        let rendering = try #require(declared["Rendering"])
        #expect(rendering == ["Foundations", "Model", "Signing", "Workbook", "Mustache", "EmbedSQLPlugin"])
        // Not even by way of another.
        var (reached, next): (Set<String>, Set<String>) = ([], rendering)
        while let name = next.popFirst() {
            if reached.insert(name).inserted { next.formUnion(declared[name] ?? []) }
        }
        #expect(reached.contains("CXLSXWriter") && reached.isDisjoint(with: ["Postgres", "CLibPQ", "SQLCatalog"]))
    }

    @Test func `rooms never import each other, and no stage imports a room`() throws {
        var found = 0
        for target in try PackageDescription.read().targets {
            if Self.rooms.contains(target.name) {
                found += 1
                #expect(target.allowedImports.isDisjoint(with: Self.rooms), "\(target.name) reaches its neighbour")
            } else if Self.stages.contains(target.name) || target.name == "Runs" {
                let above = Self.rooms.union(target.name == "Runs" ? Self.stages : ["Runs"])
                #expect(target.allowedImports.isDisjoint(with: above), "\(target.name) reaches who composes it")
            }
        }
        #expect(found == Self.rooms.count)
    }

    /// What belongs to none of them is in Foundations.
    @Test(arguments: [("Notifications", stages), ("Imports", stages), ("Delivery", Set(["Stores"]))])
    func `rooms that compose nothing of a layer do not reach it`(room: String, layer: Set<String>) throws {
        let target = try #require(try PackageDescription.read().targets.first { $0.name == room })
        #expect(target.allowedImports.isDisjoint(with: layer))
    }

    @Test func `the program is free of the simulator`() throws {
        let targets = try PackageDescription.read().targets
        let declared = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.allowedImports) })
        var reached: Set<String> = []
        var next: Set<String> = ["subledger"]
        while let name = next.popFirst() {
            guard reached.insert(name).inserted else { continue }
            next.formUnion(declared[name] ?? [])
        }
        #expect(reached.contains("Postgres"))
        #expect(reached.isDisjoint(with: ["StoreSimulator", "SimulatorServer", "TLSServer", "Hummingbird"]))
    }

    @Test func `import lines are read in all their forms`() {
        let text =
            "import A\n  package import B\n@testable import C\ninternal import struct D.E\n// import F\nlet importG = 1"
        #expect(Self.imports(in: text) == ["A", "B", "C", "D"])
    }

    private static func imports(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            // An expression costs a thousand times as much, and there are lines by the hundred thousand.
            guard line.utf8.contains(UInt8(ascii: "i")), line.contains("import ") else { return nil }
            let form =
                /^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
            return line.prefixMatch(of: form).map { String($0.1) }
        }
    }
}
