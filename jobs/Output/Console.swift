// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// The process's two outputs: results on stdout, everything else on stderr, where a line of progress may be below.
final class Console: Sendable {
    /// The line of progress that is on the screen.
    private let displayed = Mutex<String?>(nil)
    private let loss = Mutex<String?>(nil)

    /// How stderr is written.
    private let format: SharedOptions.LogFormat

    init(format: SharedOptions.LogFormat = .text) { self.format = format }

    /// Stderr is a terminal that people read, so that a line can be drawn over.
    var isTerminal: Bool { format == .text && isatty(STDERR_FILENO) == 1 }

    /// Why a result did not reach stdout, in the system's words; nil where all did.
    var lostResult: String? { loss.withLock(\.self) }

    /// A result: one or more lines on stdout.
    func write(_ result: String) {
        displayed.withLock { displayed in
            if let line = displayed { erase(line) }
            displayed = nil
            guard let reason = SystemOutput.standardOutput.write(result + "\n") else { return }
            loss.withLock { $0 = $0 ?? reason }
        }
    }

    /// A line of log on stderr, above the line of progress.
    func log(_ line: String) {
        displayed.withLock { displayed in
            if let line = displayed { erase(line) }
            Self.print(line + "\n" + (displayed ?? ""))
        }
    }

    /// Why the job ends otherwise than it should.
    ///
    /// Plain lines name their file themselves.
    func complain(_ sentence: String, isPlain: Bool = false) {
        guard format == .text else {
            return sentence.split(separator: "\n").forEach { log(LogLine.json(String($0), level: .error)) }
        }
        log(isPlain ? sentence : "subledger: " + sentence)
    }

    /// How the job gets on, where no line can be drawn over.
    func note(_ sentence: String) { log(format == .text ? sentence : LogLine.json(sentence, level: .info)) }

    /// Draws the line of progress over the last one; nil takes it away.
    func display(_ line: String?) {
        let fitting = line.map { String($0.prefix(columns - 1)) }
        displayed.withLock { displayed in
            if let line = displayed { erase(line) }
            displayed = fitting
            Self.print(fitting ?? "")
        }
    }

    /// The terminal's width: a line that wraps could not be drawn over.
    var columns: Int {
        var size = winsize()
        let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return isKnown ? Int(size.ws_col) : 80
    }

    private func erase(_ line: String) {
        Self.print("\r" + String(repeating: " ", count: line.count) + "\r")
    }

    /// There is no other place where it could be said that stderr takes nothing.
    private static func print(_ text: String) { _ = SystemOutput.standardError.write(text) }
}
