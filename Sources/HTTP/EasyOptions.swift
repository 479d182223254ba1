// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// Who owns a libcurl easy handle and sets its options: the typed setters and the getter.
///
/// Each names the option that was refused.
protocol EasyOptions {
    /// Lends the pointer; it must not outlive the call.
    func withPointer<T, E: Error>(_ body: (subledger_easy_pointer) throws(E) -> T) throws(E) -> T
}

extension EasyOptions {
    typealias Refusal = EasyHandle.Refusal

    func set(_ option: CURLoption, _ value: Int) throws(Refusal) {
        unsafe try accept(withPointer { unsafe subledger_easy_set_long($0, option, value) }, option)
    }

    func set(_ option: CURLoption, offset value: Int) throws(Refusal) {
        unsafe try accept(withPointer { unsafe subledger_easy_set_offset($0, option, curl_off_t(value)) }, option)
    }

    func set(_ option: CURLoption, _ value: String?) throws(Refusal) {
        unsafe try accept(withPointer { unsafe subledger_easy_set_string($0, option, value) }, option)
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) throws(Refusal) {
        unsafe try accept(withPointer { unsafe subledger_easy_set_pointer($0, option, value) }, option)
    }

    func set(_ option: CURLoption, list value: UnsafeMutablePointer<curl_slist>?) throws(Refusal) {
        unsafe try accept(withPointer { unsafe subledger_easy_set_list($0, option, value) }, option)
    }

    func setReceiver(_ option: CURLoption, _ receiver: @escaping curl_write_callback) throws(Refusal) {
        unsafe try accept(withPointer { unsafe subledger_easy_set_receiver($0, option, receiver) }, option)
    }

    /// A fact of the finished transfer; 0 when libcurl does not know it.
    func get(_ info: CURLINFO) -> Int {
        var value = 0
        _ = unsafe withPointer { unsafe subledger_easy_get_long($0, info, &value) }
        return value
    }

    func accept(_ result: CURLcode, _ option: CURLoption) throws(Refusal) {
        guard result == CURLE_OK else {
            throw Refusal(reason: "libcurl code \(result.rawValue) for option \(option.rawValue)")
        }
    }

    /// Certificates and names are verified, whoever is talked to; credentials come from nowhere but the caller.
    func setTrust(certificateAuthorityFile: String?) throws(Refusal) {
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = certificateAuthorityFile {
            try set(CURLOPT_CAINFO, file)
            // Otherwise the system's directory would be trusted besides the file.
            try set(CURLOPT_CAPATH, nil as String?)
        }
        try set(CURLOPT_NETRC, subledger_netrc_ignored())
    }
}
