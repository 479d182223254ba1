// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model

/// Reads an issue again, for handing it on: nothing of it that was changed since it was issued.
package actor IssueReader {
    private nonisolated let executor = BlockingExecutor(label: "subledger.reports")
    private let folder: String
    private let manifestSHA256: String?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - folder: the issue's own.
    ///   - manifestSHA256: of its manifest, as the database knows it.
    package init(folder: String, manifestSHA256: String?) {
        self.folder = folder
        self.manifestSHA256 = manifestSHA256
    }

    /// What it says of itself, once that and the other files named were found as they were issued.
    package func summary(proving names: [String] = []) throws(ReportError) -> IssueSummary {
        let path = "\(folder)/\(Manifest.fileName)"
        guard let manifestSHA256, try describe(path).sha256 == manifestSHA256 else {
            throw ReportError(.definitions, "\(path) is not the one that was issued: see subledger report --verify")
        }
        guard let manifest = try? Manifest(json: try contents(of: path)) else {
            throw ReportError(.definitions, "\(path) cannot be read as a manifest")
        }
        for name in [IssueSummary.fileName] + names { try prove(name, in: manifest) }
        let summary = "\(folder)/\(IssueSummary.fileName)"
        do {
            return try IssueSummary(json: try contents(of: summary))
        } catch let error as ReportError {
            throw error
        } catch {
            throw ReportError(.definitions, "\(summary) cannot be read as a summary")
        }
    }

    private func prove(_ name: String, in manifest: Manifest) throws(ReportError) {
        guard let file = manifest.files[name] else {
            throw ReportError(.definitions, "\(folder) has no \(name): it was issued by an older version")
        }
        guard try describe("\(folder)/\(name)").sha256 == file.sha256 else {
            throw ReportError(
                .definitions, "\(folder)/\(name) was changed since it was issued: see subledger report --verify")
        }
    }

    private func describe(_ path: String) throws(ReportError) -> FileSummary {
        do {
            return try WrittenFile.describe(path)
        } catch {
            throw ReportError(.files, "\(path) cannot be read: \(SystemReason.of(error))")
        }
    }

    private func contents(of path: String) throws(ReportError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ReportError(.files, "\(path) cannot be read: \(SystemReason.of(error))")
        }
    }
}
