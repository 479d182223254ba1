// SPDX-License-Identifier: Apache-2.0

import AppStore
import Model
import Signing

extension AppReader {
    static let appStoreKeys = [
        "bundle_id", "app_apple_id", "issuer_id", "key_id", "private_key_file", "shared_secret_file",
        "root_certificate_file", "sandbox_base_url", "verify_receipt_url", "verify_receipt_sandbox_url",
    ]

    /// How an App Store app is read.
    private enum API: String, CaseIterable {
        case server
        case verifyReceipt = "verify_receipt"
    }

    /// The configuration once the app's id is known; nil only where something was found.
    func appStore(_ environment: PurchaseEnvironment) -> ((AppID) -> AppStoreConfiguration)? {
        let bundle = section.requiredText("bundle_id")
        let appleID = section.integer("app_apple_id", in: 1...Int64.max)
        let api: AppStoreConfiguration.API?
        switch section.word("api", as: API.self) ?? .server {
        case .server:
            if environment == .production, !section.has("app_apple_id") {
                section.find("app_apple_id", "is missing: production answers are compared with it")
            }
            api = server(environment).map(AppStoreConfiguration.API.server)
            _ = urls("verify_receipt_url", "verify_receipt_sandbox_url")
        case .verifyReceipt:
            api = receipts().map(AppStoreConfiguration.API.verifyReceipt)
            _ = urls("base_url", "sandbox_base_url")
            for (key, own) in [
                ("base_url", "verify_receipt_url"), ("sandbox_base_url", "verify_receipt_sandbox_url"),
            ] where section.has(key) { section.find(key, "has no meaning with api: verify_receipt: name \(own)") }
        }
        guard let bundle, let api else { return nil }
        return { id in
            AppStoreConfiguration(
                appID: id, bundleID: bundle, appAppleID: appleID, environment: environment, api: api)
        }
    }

    private func server(_ environment: PurchaseEnvironment) -> AppStoreConfiguration.Server? {
        let issuer = section.requiredText("issuer_id")
        let keyID = section.requiredText("key_id")
        let signer = signer()
        let root = rootCertificate()
        let sharedSecret = section.secret("shared_secret_file", files)
        let (base, sandbox) = urls("base_url", "sandbox_base_url")
        guard let issuer, let keyID, let root else { return nil }
        let isSandboxOnly = environment == .sandbox && sandbox == nil
        return AppStoreConfiguration.Server(
            issuerID: issuer, keyID: keyID, signer: signer, rootCertificate: root, sharedSecret: sharedSecret,
            productionURL: isSandboxOnly ? nil : base, sandboxURL: isSandboxOnly ? base : sandbox)
    }

    private func receipts() -> AppStoreConfiguration.Receipts? {
        let secret = section.requiredSecret("shared_secret_file", files)
        let (production, sandbox) = urls("verify_receipt_url", "verify_receipt_sandbox_url")
        guard let secret else { return nil }
        return AppStoreConfiguration.Receipts(sharedSecret: secret, productionURL: production, sandboxURL: sandbox)
    }

    private func urls(_ production: String, _ sandbox: String) -> (production: String?, sandbox: String?) {
        (section.url(production), section.url(sandbox))
    }

    /// What signs with the key, whose text is overwritten once it is made; nil where something was found, and for a job that reads
    /// no keys.
    private func signer() -> ES256Signer? {
        let key = section.requiredSecret("private_key_file", files)
        guard let key, files.areRead, key != Secret("") else { return nil }
        do throws(SigningError) {
            return try key.withBytes { (pem) throws(SigningError) in try ES256Signer(pem: pem) }
        } catch {
            section.findFile("private_key_file", "names a file that is no App Store key: \(error)", among: files)
            return nil
        }
    }

    private func rootCertificate() -> [UInt8]? {
        guard section.has("root_certificate_file") else {
            section.find("root_certificate_file", "is missing: Apple's root certificate (AppleRootCA-G3.cer)")
            return nil
        }
        guard let root = section.bytes("root_certificate_file", files) else { return nil }
        guard files.areRead, !root.isEmpty else { return root }
        do throws(SigningError) {
            // Only whether the root can be read is asked here; the store's own rules come with its verifier.
            _ = try JWSVerifier(policy: ChainPolicy(roots: [root], leafOID: "", intermediateOID: ""))
            return root
        } catch {
            section.findFile("root_certificate_file", "names a file that is no certificate: \(error)", among: files)
            return root
        }
    }
}
