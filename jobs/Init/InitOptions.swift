// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What a first configuration is made of, as flags; what is left out is asked for.
struct InitOptions: ParsableArguments {
    @Option(help: "The bundle id of an App Store app.")
    var bundleID: String?

    @Option(help: "Your own name for that app, in every table and report; it cannot be changed later.")
    var appStoreName: String?

    @Option(help: "That app's number in App Store Connect.")
    var appAppleID: String?

    @Option(help: "The issuer id of the In-App Purchase keys.")
    var issuerID: String?

    @Option(help: "The id of the In-App Purchase key.")
    var keyID: String?

    @Flag(help: "That app is read from receipts (verifyReceipt), not by the App Store Server API.")
    var verifyReceipt = false

    @Option(help: "The package name of a Google Play app.")
    var packageName: String?

    @Option(help: "Your own name for that app.")
    var googlePlayName: String?

    @Option(help: "An OAuth client id, where a person's consent is used instead of a service account.")
    var clientID: String?

    @Option(
        help: "postgresql://… (a password belongs into ~/.pgpass or a passfile); 'private': a PostgreSQL of its own.")
    var databaseURL: String?

    @Option(help: "ISO 4217: the currency that revenue is also given in.")
    var currency: String?

    @Option(help: "The time zone of all days: UTC, store, or a name such as Asia/Tokyo.")
    var timeZone: String?

    /// The draft; throws `UsageError` where something is missing and there is no terminal to ask on.
    func draft(asking interview: Interview) throws(UsageError) -> ConfigurationDraft {
        let appStore = try appStore(interview)
        let googlePlay = try googlePlay(interview)
        guard appStore != nil || googlePlay != nil else {
            throw UsageError("subledger: name an app: --bundle-id for the App Store, --package-name for Google Play")
        }
        if appStore == nil { try refuse(ofAppStore, without: "--bundle-id") }
        if googlePlay == nil { try refuse(ofGooglePlay, without: "--package-name") }
        let database = try interview.answer(
            databaseURL, to: "database.url (private: a PostgreSQL of its own)",
            usually: ConfigurationDraft.privateDatabase)
        return ConfigurationDraft(
            appStore: appStore, googlePlay: googlePlay, databaseURL: database,
            currency: try interview.answer(currency, to: "reporting currency", usually: "USD"),
            timeZone: try interview.answer(timeZone, to: "time zone of the reports", usually: "UTC"))
    }

    private var ofAppStore: [(flag: String, isGiven: Bool)] {
        [
            ("--app-store-name", appStoreName != nil), ("--app-apple-id", appAppleID != nil),
            ("--issuer-id", issuerID != nil), ("--key-id", keyID != nil), ("--verify-receipt", verifyReceipt),
        ]
    }

    private var ofGooglePlay: [(flag: String, isGiven: Bool)] {
        [("--google-play-name", googlePlayName != nil), ("--client-id", clientID != nil)]
    }

    /// What is said of an app that nothing names would be lost.
    private func refuse(
        _ flags: [(flag: String, isGiven: Bool)], without name: String
    ) throws(UsageError) {
        let given = flags.filter(\.isGiven).map(\.flag)
        guard !given.isEmpty else { return }
        throw UsageError(
            "subledger: \(given.joined(separator: ", ")) is of an app that nothing names: add \(name), or leave it out")
    }

    private func appStore(_ interview: Interview) throws(UsageError) -> ConfigurationDraft.AppStoreApp? {
        let isOther = packageName != nil
        guard let bundle = interview.choice(bundleID, "App Store: bundle id (empty: no such app)", isSettled: isOther)
        else { return nil }
        let name = try interview.answer(
            appStoreName, to: "your own name for it", usually: ConfigurationDraft.name(for: bundle, "ios"))
        var app = ConfigurationDraft.AppStoreApp(name: name, bundleID: bundle)
        if verifyReceipt { return app }
        app.server = ConfigurationDraft.ServerKey(
            appAppleID: try interview.answer(appAppleID, to: "its number in App Store Connect", flag: "--app-apple-id"),
            issuerID: try interview.answer(issuerID, to: "issuer id of the In-App Purchase keys", flag: "--issuer-id"),
            keyID: try interview.answer(keyID, to: "id of the In-App Purchase key", flag: "--key-id"))
        return app
    }

    private func googlePlay(_ interview: Interview) throws(UsageError) -> ConfigurationDraft.GooglePlayApp? {
        let isOther = bundleID != nil
        guard
            let package = interview.choice(
                packageName, "Google Play: package name (empty: no such app)", isSettled: isOther)
        else { return nil }
        let name = try interview.answer(
            googlePlayName, to: "your own name for it", usually: ConfigurationDraft.name(for: package, "android"))
        return ConfigurationDraft.GooglePlayApp(name: name, packageName: package, clientID: clientID)
    }
}
