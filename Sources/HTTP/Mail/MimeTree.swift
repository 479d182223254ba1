// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// Owns the parts of one mail, as libcurl writes them: text and HTML as alternatives, then the files.
@safe final class MimeTree {
    typealias Refusal = EasyHandle.Refusal

    private let root: OpaquePointer

    /// The handle must outlive it.
    init(_ message: MailMessage, of handle: some EasyOptions) throws(Refusal) {
        unsafe root = try Self.tree(of: handle)
        let alternatives = unsafe try Self.tree(of: handle)
        let first = unsafe try Self.addPart(to: root)
        // The root owns them from here on, whatever fails later.
        guard unsafe curl_mime_subparts(first, alternatives) == CURLE_OK else {
            unsafe curl_mime_free(alternatives)
            throw Refusal(reason: "libcurl takes no parts")
        }
        unsafe try Self.accept(curl_mime_type(first, "multipart/alternative"))
        unsafe try Self.add(message.text, as: "text/plain; charset=utf-8", to: alternatives)
        unsafe try Self.add(message.html, as: "text/html; charset=utf-8", to: alternatives)
        for file in message.attachments { try add(file) }
    }

    deinit {
        unsafe curl_mime_free(root)
    }

    /// Lends the root; libcurl keeps the pointer, so the owner must outlive the transfer.
    func withPointer<T, E: Error>(_ body: (OpaquePointer) throws(E) -> T) throws(E) -> T {
        unsafe try body(root)
    }

    private func add(_ file: MailMessage.Attachment) throws(Refusal) {
        let part = unsafe try Self.addPart(to: root)
        unsafe try Self.accept(curl_mime_filedata(part, file.path))
        unsafe try Self.accept(curl_mime_filename(part, file.name))
        unsafe try Self.accept(curl_mime_type(part, file.mediaType))
        unsafe try Self.accept(curl_mime_encoder(part, "base64"))
    }

    private static func add(_ text: String, as type: String, to parent: OpaquePointer) throws(Refusal) {
        let part = unsafe try addPart(to: parent)
        // Lines of a mail end so; libcurl would write a bare line feed as a character of the text.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        let bytes = Array(lines.utf8)
        let result = unsafe bytes.withUnsafeBytes { bytes in
            unsafe curl_mime_data(part, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        try accept(result)
        unsafe try accept(curl_mime_type(part, type))
        unsafe try accept(curl_mime_encoder(part, "quoted-printable"))
    }

    private static func tree(of handle: some EasyOptions) throws(Refusal) -> OpaquePointer {
        guard let tree = unsafe handle.withPointer({ unsafe curl_mime_init($0) }) else {
            throw Refusal(reason: "libcurl has no memory")
        }
        return unsafe tree
    }

    private static func addPart(to parent: OpaquePointer) throws(Refusal) -> OpaquePointer {
        guard let part = unsafe curl_mime_addpart(parent) else { throw Refusal(reason: "libcurl has no memory") }
        return unsafe part
    }

    private static func accept(_ result: CURLcode) throws(Refusal) {
        guard result == CURLE_OK else { throw Refusal(reason: "libcurl code \(result.rawValue) for a part of it") }
    }
}
