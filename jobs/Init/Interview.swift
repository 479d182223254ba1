// SPDX-License-Identifier: Apache-2.0

/// Asks on a terminal for what no flag says.
struct Interview {
    let console: Console
    let isTerminal: Bool
    /// A line of the answers; nil at their end.
    var read: () -> String? = { readLine(strippingNewline: true) }

    /// What the flag says, else what is answered, else what is usual.
    func answer(_ flag: String?, to question: String, usually usual: String) throws(UsageError) -> String {
        if let flag { return flag }
        guard isTerminal else { return usual }
        return asked("\(question) [\(usual)]") ?? usual
    }

    /// The same of what has no usual answer; throws where there is no terminal, or no answer comes.
    func answer(_ given: String?, to question: String, flag: String) throws(UsageError) -> String {
        if let given { return given }
        guard isTerminal, let answer = asked(question) else {
            throw UsageError("subledger: \(flag) is missing: \(question)")
        }
        return answer
    }

    /// The same of what may be left out; not asked where flags have settled what there is.
    func choice(_ flag: String?, _ question: String, isSettled: Bool) -> String? {
        if let flag { return flag }
        return isTerminal && !isSettled ? asked(question) : nil
    }

    /// Nil for an empty answer.
    private func asked(_ question: String) -> String? {
        console.display(question + ": ")
        let answer = read()?.trimmingPrefix { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        guard let answer, !answer.isEmpty else { return nil }
        return String(answer)
    }
}
