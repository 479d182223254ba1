// SPDX-License-Identifier: Apache-2.0

import Model

/// Values that name files: read at once, so that a wrong one is known before anything is changed.
extension Section {
    /// The text of the key file a key names.
    func secret(_ key: String, _ files: Files) -> Secret? {
        read(key, among: files, orElse: Secret("")) { (path) throws(Files.Refusal) in try files.readSecret(path) }
    }

    /// The bytes of the file a key names.
    func bytes(_ key: String, _ files: Files) -> [UInt8]? {
        read(key, among: files, orElse: []) { (path) throws(Files.Refusal) in try files.read(path) }
    }

    /// The absolute path of a file that is there.
    func file(_ key: String, _ files: Files) -> String? {
        read(key, among: files, orElse: text(key).map(files.absolute)) { (path) throws(Files.Refusal) in
            _ = try files.read(path)
            return files.absolute(path)
        }
    }

    /// That file, which must be named.
    func requiredSecret(_ key: String, _ files: Files) -> Secret? {
        guard has(key) else {
            find(key, "is missing")
            return nil
        }
        return secret(key, files)
    }

    /// A finding about the file that a key names: it stops the app that it is of, where it is of one.
    func findFile(_ key: String, _ problem: String, among files: Files) {
        findings.add("\(name(key)) \(problem)", line: entry(key)?.line ?? line, stopping: files.app)
    }

    /// `placeholder`: the value of an app that is stopped because of its file.
    private func read<Value>(
        _ key: String, among files: Files, orElse placeholder: Value?,
        _ read: (String) throws(Files.Refusal) -> Value
    ) -> Value? {
        guard let path = text(key) else { return nil }
        do throws(Files.Refusal) {
            return try read(path)
        } catch {
            findFile(key, "names \(path), which \(error.problem)", among: files)
            return files.app == nil ? nil : placeholder
        }
    }
}
