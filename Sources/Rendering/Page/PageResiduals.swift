// SPDX-License-Identifier: Apache-2.0

/// The lines of a group less what others say of them already: `from` of a specification names a line's parts, as in
/// `"net": ["gross", "-refunded"]`, and `"opening": ["<closing"]` what it was a span before.
///
/// What is left is written, so nothing hangs on the parts being right; where they are, nothing is left.
struct PageResiduals {
    /// By line; those that a cut does not say are empty.
    let lines: [[PageLine.Entry]]

    init(_ group: PageGroup?, hasCurrency: Bool, of cube: PageCube) throws(ReportError) {
        let layout = cube.layout
        let isMixed = !hasCurrency && cube.values["currency"] != nil
        lines = try layout.lines.map { line throws(ReportError) in
            guard let group, !layout.isOwnMoney(line: line) || !isMixed else { return [] }
            let parts = cube.parts(of: line).map { part in
                group.lines[part.line].entries(times: -part.factor, later: part.delay)
            }
            return try PageLine.merged([group.lines[line]] + parts).entries
        }
    }
}

extension PageCube {
    /// What a line is made of, as the specification says.
    struct Part {
        let line: Int
        let factor: Int64
        /// Spans that it comes later.
        let delay: Int
    }

    /// Of amounts; empty where the line stands for itself.
    func parts(of line: Int) -> [Part] {
        guard let column = layout.column(ofLine: line),
            layout.amount(column, inReporting: false) == line
                || layout.amount(column, inReporting: true) == line
        else { return [] }
        let names = spec.from?[columns[column].name] ?? []
        return names.compactMap { name in
            let isDelayed = name.hasPrefix("<")
            let isLess = name.hasPrefix("-")
            let plain = isDelayed || isLess ? String(name.dropFirst()) : name
            return columns.firstIndex { $0.name == plain }.map {
                Part(
                    line: layout.amount($0, inReporting: layout.isInReporting(line: line)), factor: isLess ? -1 : 1,
                    delay: isDelayed ? 1 : 0)
            }
        }
    }
}
