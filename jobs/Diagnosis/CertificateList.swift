// SPDX-License-Identifier: Apache-2.0

import AppStore
import Delivery
import Diagnosis
import HTTP
import Model
import Postgres

/// The certificates that a configuration names, each once, however many apps name it.
struct CertificateList {
    private struct File: Hashable {
        let key: String
        let path: String
    }

    private var files: [File] = []
    private var roots: [(app: AppID, bytes: [UInt8])] = []

    init(_ configuration: Configuration) {
        if case .server(let server, _, _) = configuration.database {
            files += server.certificateFiles.map { File(key: $0.option, path: $0.path) }
        }
        for app in configuration.apps {
            if let path = app.authorityFile { files.append(File(key: "ca_file", path: path)) }
            guard case .appStore(let store) = app.store, case .server(let server) = store.api,
                !server.rootCertificate.isEmpty, !roots.contains(where: { $0.bytes == server.rootCertificate })
            else { continue }
            roots.append((app.id, server.rootCertificate))
        }
        let delivery = configuration.reports.delivery
        if let path = delivery?.webhookAuthorityFile { files.append(File(key: "webhook_ca_file", path: path)) }
        if let path = delivery?.mail?.server.certificateAuthorityFile {
            files.append(File(key: "smtp.ca_file", path: path))
        }
    }

    func facts(now: Instant) -> [CertificateFacts] {
        var seen: Set<File> = []
        let named = files.filter { seen.insert($0).inserted }
            .map { CertificateFacts.read($0.key, at: $0.path, now: now) }
        return named
            + roots.map { app, bytes in
                CertificateFacts(key: "root_certificate_file", bytes: bytes, of: "the root of app \(app)", now: now)
            }
    }
}
