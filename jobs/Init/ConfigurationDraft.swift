// SPDX-License-Identifier: Apache-2.0

/// A first configuration, to be read by people and by the program.
///
/// Pure.
struct ConfigurationDraft {
    /// What the App Store Server API needs.
    struct ServerKey {
        var appAppleID: String
        var issuerID: String
        var keyID: String
    }

    struct AppStoreApp {
        var name: String
        var bundleID: String
        /// Nil: it is read from receipts.
        var server: ServerKey?
    }

    struct GooglePlayApp {
        var name: String
        var packageName: String
        /// Of a person's consent; nil: a service account.
        var clientID: String?
    }

    /// A file that its owner has to bring, and who may read it.
    struct KeyFile: Hashable {
        let path: String
        let origin: String
        var isSecret = true
    }

    /// The answer that asks for a server of our own.
    static let privateDatabase = "private"

    var appStore: AppStoreApp?
    var googlePlay: GooglePlayApp?
    var databaseURL = privateDatabase
    var currency = "USD"
    var timeZone = "UTC"

    /// `acme-ios` for `com.acme.app`.
    static func name(for identifier: String, _ platform: String) -> String {
        let parts = identifier.split(separator: ".")
        return "\(parts.dropFirst().first ?? parts.first ?? "app")-\(platform)"
    }

    /// A value as YAML reads it back: between quotes unless it is plain beyond doubt.
    static func scalar(_ text: String) -> String {
        let words = ["null", "true", "false", "yes", "no", "on", "off"]
        let isPlain =
            text.first.map { $0.isASCII && ($0.isLetter || $0.isNumber) } == true && !words.contains(text.lowercased())
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-/+@".contains($0)) }
        if isPlain { return text }
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 32 || scalar.value == 127: "\\x" + hex(scalar.value)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    private static func hex(_ value: UInt32) -> String {
        (value < 16 ? "0" : "") + String(value, radix: 16)
    }

    /// In the order of the file.
    var keyFiles: [KeyFile] {
        var files: [KeyFile] = []
        if let server = appStore?.server {
            files = [
                KeyFile(
                    path: "secrets/AuthKey_\(server.keyID).p8",
                    origin: "App Store Connect, Users and Access, Integrations, In-App Purchase"),
                KeyFile(
                    path: "AppleRootCA-G3.cer", origin: "https://www.apple.com/certificateauthority/", isSecret: false),
            ]
        } else if appStore != nil {
            files = [
                KeyFile(
                    path: "secrets/shared_secret",
                    origin: "App Store Connect, the app, App Information, App-Specific Shared Secret")
            ]
        }
        guard let googlePlay else { return files }
        if googlePlay.clientID == nil {
            return files + [KeyFile(path: "secrets/play.json", origin: "Google Cloud, the service account, Keys, JSON")]
        }
        return files + [
            KeyFile(path: "secrets/client_secret", origin: "Google Cloud, Credentials, the OAuth client"),
            KeyFile(path: "secrets/refresh_token", origin: "the consent of an account with access to the Play Console"),
        ]
    }

    /// What is left to do, as commands where there are any.
    func nextSteps(_ path: String) -> [String] {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let secrets = keyFiles.filter(\.isSecret).map { ShellText.word(folder + $0.path) }
        return ["\(path) is written. These files belong to it:"]
            + keyFiles.map { "  \(folder)\($0.path)  (mode \($0.isSecret ? "600" : "644")): \($0.origin)" }
            + [
                "Then:", "  mkdir -p -m 700 \(ShellText.word("\(folder)secrets"))   # and copy the files",
                "  chmod 600 \(secrets.joined(separator: " "))", "  subledger doctor --config \(ShellText.word(path))",
            ]
    }
}
