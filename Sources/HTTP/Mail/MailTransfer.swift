// SPDX-License-Identifier: Apache-2.0

import CLibCURL
import Foundation

/// One mail on its way: owns its libcurl handle, and blocks the thread that it runs on.
@safe final class MailTransfer: EasyOptions {
    private static let connecting = Duration.seconds(30)
    private static let answering = Duration.seconds(60)

    private let pointer: subledger_easy_pointer
    private let server: MailServerConfiguration
    private let cancellation: Cancellation

    private init(_ server: MailServerConfiguration, _ cancellation: Cancellation) throws(EasyHandle.Refusal) {
        guard Library.isReady, let created = unsafe curl_easy_init() else {
            throw EasyHandle.Refusal(reason: "libcurl has no memory")
        }
        unsafe pointer = created
        (self.server, self.cancellation) = (server, cancellation)
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
    }

    func withPointer<T, E: Error>(_ body: (subledger_easy_pointer) throws(E) -> T) throws(E) -> T {
        unsafe try body(pointer)
    }

    /// Hands the mail over and waits for the server's last word; nil where it took the mail.
    static func run(
        _ message: MailMessage, to server: MailServerConfiguration, _ cancellation: Cancellation
    ) -> MailError? {
        do throws(EasyHandle.Refusal) {
            let transfer = try MailTransfer(server, cancellation)
            try transfer.setServer()
            try transfer.setCallbacks()
            return try transfer.send(message)
        } catch {
            return MailError(.invalidMessage, host: server.host, reason: error.reason)
        }
    }

    private func send(_ message: MailMessage) throws(EasyHandle.Refusal) -> MailError? {
        let headers = HeaderList(lines: message.headers)
        let recipients = HeaderList(lines: ["<\(message.to)>"])
        let parts = try MimeTree(message, of: self)
        try set(CURLOPT_MAIL_FROM, "<\(message.from)>")
        unsafe try recipients.withPointer { list throws(EasyHandle.Refusal) in
            unsafe try set(CURLOPT_MAIL_RCPT, list: list)
        }
        unsafe try headers.withPointer { list throws(EasyHandle.Refusal) in
            unsafe try set(CURLOPT_HTTPHEADER, list: list)
        }
        let taken = unsafe parts.withPointer { root in
            unsafe withPointer { handle in unsafe subledger_easy_set_mime(handle, root) }
        }
        try accept(taken, CURLOPT_MIMEPOST)
        // What libcurl keeps pointers of lives until the transfer is over.
        let result = withExtendedLifetime((headers, recipients, parts)) {
            unsafe withPointer { unsafe curl_easy_perform($0) }
        }
        guard result != CURLE_OK else { return nil }
        return MailError(
            result, host: server.host, status: get(CURLINFO_RESPONSE_CODE),
            verifyResult: get(CURLINFO_SSL_VERIFYRESULT), systemError: get(CURLINFO_OS_ERRNO))
    }

    private func setServer() throws(EasyHandle.Refusal) {
        try set(CURLOPT_URL, server.url)
        try set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        try set(CURLOPT_PROXY, "")
        try setTrust(certificateAuthorityFile: server.certificateAuthorityFile)
        try set(CURLOPT_USE_SSL, subledger_use_ssl(server.security == .none ? 0 : 1))
        if let username = server.username {
            try set(CURLOPT_USERNAME, username)
            try set(CURLOPT_PASSWORD, server.password ?? "")
        }
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, Self.connecting.milliseconds)
        try set(CURLOPT_SERVER_RESPONSE_TIMEOUT, Self.answering.milliseconds / 1_000)
        try set(CURLOPT_TIMEOUT_MS, server.total.milliseconds)
    }

    /// What the server says is read by libcurl alone, and is stored nowhere.
    private func setCallbacks() throws(EasyHandle.Refusal) {
        unsafe try setReceiver(CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
        unsafe try setReceiver(CURLOPT_HEADERFUNCTION) { _, size, count, _ in size * count }
        unsafe try set(CURLOPT_XFERINFODATA, Unmanaged.passUnretained(self).toOpaque())
        let result = unsafe withPointer {
            unsafe subledger_easy_set_progress($0) { target, _, _, _, _ in
                guard let target = unsafe target else { return 0 }
                let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(target).takeUnretainedValue()
                return transfer.cancellation.isRequested ? 1 : 0
            }
        }
        try accept(result, CURLOPT_XFERINFOFUNCTION)
        try set(CURLOPT_NOPROGRESS, 0)
    }
}
