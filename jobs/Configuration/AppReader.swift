// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model

/// Reads one app of the configuration: what every app has here, what its store needs in the extensions.
struct AppReader {
    /// Keys that every app may have.
    static let commonKeys = [
        "id", "store", "environment", "api", "default_country", "http", "ca_file", "base_url", "requests_per_second",
        "max_in_flight", "quota", "retired", "title",
    ]
    let section: Section
    let id: AppID?
    let files: Files

    /// `keys`: its files are read where it is among them.
    init(_ section: Section, files: Files, reading keys: KeyFiles) {
        self.section = section
        id = Self.id(in: section)
        var files = files
        files.app = section.path
        files.areRead = keys.include(id)
        self.files = files
    }

    /// Nil only where something was found.
    func read() -> AppConfiguration? {
        guard let kind = kind() else { return nil }
        refuseForeignKeys(kind)
        let environment = section.word("environment", as: PurchaseEnvironment.self) ?? .production
        let (store, ownBilling) = store(kind, environment)
        let country = section.country("default_country")
        let http = httpVersion()
        let authority = section.file("ca_file", files)
        let rate = section.rate("requests_per_second")
        let inFlight = section.integer("max_in_flight", in: 1...1_000)
        let quota = section.text("quota", being: "a name that other apps of the store may share") { !$0.isEmpty }
        let retired = section.text("retired", being: "a day such as 2026-12-31") { BusinessDate($0) != nil }
        let title = section.text("title", being: "one line of text") { PlainText.isPlain($0) }
        guard let id, let store else { return nil }
        return AppConfiguration(
            id: id, environment: environment, defaultCountry: country, httpVersion: http, authorityFile: authority,
            requestsPerSecond: rate ?? (kind == .appStore ? 40 : 20), quota: quota, maxInFlight: Int(inFlight ?? 64),
            store: store(id), hasOwnBilling: ownBilling, retiredOn: retired.flatMap(BusinessDate.init), title: title,
            files: readFiles)
    }

    private var readFiles: AppConfiguration.Files {
        let problems = section.findings.lines(stopping: section.path)
        guard problems.isEmpty else { return .unusable(problems) }
        return files.areRead ? .read : .unread
    }

    /// What its store needs, once the app's id is known, and whether it also sells on billing of its own.
    private func store(
        _ kind: StoreKind, _ environment: PurchaseEnvironment
    ) -> (((AppID) -> AppConfiguration.StoreConfiguration)?, ownBilling: Bool) {
        switch kind {
        case .appStore:
            return (appStore(environment).map { made in { .appStore(made($0)) } }, false)
        case .googlePlay:
            let made = googlePlay()
            let ownBilling = section.text("own_billing", being: "true or false") { $0 == "true" || $0 == "false" }
            return (made.map { made in { .googlePlay(made($0)) } }, ownBilling == "true")
        }
    }

    private func kind() -> StoreKind? {
        guard section.has("store") else {
            section.find("store", "is missing: app_store or google_play")
            return nil
        }
        return section.word("store", as: StoreKind.self)
    }

    private static func id(in section: Section) -> AppID? {
        guard section.has("id") else {
            section.find("id", "is missing")
            return nil
        }
        return section.text("id", being: "a short name of letters, digits, '.', '_' and '-'") { text in
            text.utf8.count <= 100
                && text.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "._-".contains($0) }
        }.map(AppID.init)
    }

    private func httpVersion() -> HTTPVersion {
        section.text("http", being: "2 or 1.1") { $0 == "2" || $0 == "1.1" } == "1.1" ? .http1 : .http2
    }

    /// A key of the other store is called that; one of neither store is called unknown.
    private func refuseForeignKeys(_ kind: StoreKind) {
        let own = kind == .appStore ? Self.appStoreKeys : Self.googlePlayKeys
        let foreign = (kind == .appStore ? Self.googlePlayKeys : Self.appStoreKeys).filter { !own.contains($0) }
        section.refuse(foreign, because: "is no key of \(kind.rawValue) apps")
        section.refuseUnknown(Self.commonKeys + own, besides: foreign)
    }
}
