// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Model
import Yams

/// `ping`: the files that hold the URLs of a service that awaits nights.
///
/// They are read when something is pinged: what is wrong with them stops no night.
struct PingFiles {
    static let keys = ["start_file", "success_file", "failure_file"]

    private let paths: [PingEvent: String]
    private let files: Files

    init(_ section: Section, _ files: Files) {
        paths = Dictionary(
            PingEvent.allCases.compactMap { event in section.text("\(event.rawValue)_file").map { (event, $0) } }
        ) { first, _ in first }
        self.files = files
    }

    /// A line for each file that cannot be used.
    var problems: [String] {
        PingEvent.allCases.compactMap { event in
            do throws(Files.Refusal) {
                _ = try url(for: event)
                return nil
            } catch {
                return Self.finding(event, error)
            }
        }
    }

    static func finding(_ event: PingEvent, _ refusal: Files.Refusal) -> String {
        "ping.\(event.rawValue)_file names a file which \(refusal.problem)"
    }

    /// The URL for an event; nil where none is configured.
    ///
    /// The refusal says why its file cannot be used.
    func url(for event: PingEvent) throws(Files.Refusal) -> Secret? {
        guard let path = paths[event] else { return nil }
        let url = try files.readSecret(path)
        guard Section.isURL(url.reveal()) else {
            throw Files.Refusal(problem: "must hold one https:// URL (http:// only to a loopback host)")
        }
        return url
    }
}

extension ConfigurationFile {
    /// What a configuration file says of pings, whatever else is wrong with it: that it is wrong is pinged, too.
    ///
    /// Nil where nothing can be read of it.
    static func pings(_ path: String, environment: [String: String]) -> PingFiles? {
        guard let contents = FileManager.default.contents(atPath: path),
            let text = String(data: contents, encoding: .utf8), let root = try? root(of: text, path)
        else { return nil }
        let findings = Findings(file: path)
        let files = Files(base: folder(of: path), trusted: trusted(environment))
        return ConfigurationReader(files: files, keys: .none, findings: findings).pings(root)
    }
}

extension ConfigurationReader {
    /// Only that section.
    func pings(_ root: Node) -> PingFiles? {
        guard let top = Section(root, path: "", line: 1, findings: findings) else { return nil }
        return pings(top, trustedFiles(top))
    }

    func pings(_ top: Section, _ files: Files) -> PingFiles? {
        guard top.has("ping") else { return nil }
        return top.section("ping", keys: PingFiles.keys).map { PingFiles($0, files) }
    }
}
