// SPDX-License-Identifier: Apache-2.0

import CLibCURL
import Glibc

/// Owns one libcurl string list: the header lines of a request or a mail.
@safe final class HeaderList {
    private var head: UnsafeMutablePointer<curl_slist>?

    /// Builds the lines of a request, and takes back the lines libcurl would add to a POST by itself.
    init(_ request: HTTPRequest) {
        for header in request.headers {
            // libcurl reads "Name:" as "leave the header out" and "Name;" as "send it empty".
            append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        if request.method == .post {
            append("Expect:")
            if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                append("Content-Type:")
            }
        }
    }

    /// Lines as they are: of a mail, or its recipients.
    init(lines: [String]) {
        for line in lines { append(line) }
    }

    /// Its lines may hold a token: they are overwritten first.
    deinit {
        var line = unsafe head
        while let here = unsafe line {
            if let text = unsafe here.pointee.data { unsafe explicit_bzero(text, strlen(text)) }
            unsafe line = here.pointee.next
        }
        unsafe curl_slist_free_all(head)
    }

    /// Lends the list; libcurl keeps the pointer, so the owner must outlive the transfer.
    func withPointer<T, E: Error>(_ body: (UnsafeMutablePointer<curl_slist>?) throws(E) -> T) throws(E) -> T {
        unsafe try body(head)
    }

    /// Keeps the list as it is when libcurl has no memory for another line.
    private func append(_ line: String) {
        if let longer = unsafe curl_slist_append(head, line) {
            unsafe head = longer
        }
    }
}
