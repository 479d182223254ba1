// SPDX-License-Identifier: Apache-2.0

import Testing

/// What any page must bear.
extension PageVisit {
    /// Every cell as it is written, and a thousand and more under filters that are walked by their seed.
    func expectFigures() async throws {
        let walk = try await self.walk(through: "2026-01-07", seed: 20_260_105, steps: 25, cells: 80)
        #expect(walk.differences == [])
        expectState(walk.after)
        #expect(walk.compared > 4_000 && walk.filtered > 1_000, "\(walk.compared), \(walk.filtered)")
    }

    /// What was opened and sorted stays so when something is chosen; the choice is in the address, behind links, too.
    private func expectState(_ states: [String: State]) {
        #expect(states["chosen"]?.open == true && states["chosen"]?.sort == "descending")
        #expect(states["chosen"]?.hash == "#range=days30")
        #expect(states["followed"]?.hash == "#at=churn&range=days30" && states["followed"]?.range == "days30")
        #expect(states["again"]?.range == "days30" && states["again"]?.open == false)
        #expect((0..<200).contains(states["again"]?.top ?? -1))
    }

    /// Nothing of the printed page lies over something else or beyond its sheet, and the bridge has all of its columns.
    func expectPrint() async throws {
        for dark in [false, true] {
            let print = try await printed(dark: dark)
            #expect(print.over == [] && print.outside == [])
            #expect(print.words > 2_000 && print.canvases >= 14, "\(print.words), \(print.canvases)")
            #expect(print.said.contains("Closing") && print.said.contains("Growth"))
            #expect(print.after.parts == 0 && print.after.hidden == 0)
        }
    }

    func expectAccess() async throws {
        let access = try await self.access()
        #expect(
            access.violations.count == 5 && access.violations.allSatisfy { $0.value.isEmpty }, "\(access.violations)")
        #expect(access.colours.count == 2)
        for (theme, colours) in access.colours {
            #expect(colours.series >= 20 && colours.steps >= 20 && colours.contrast >= 3, "\(theme): \(colours)")
        }
        #expect(access.wider.count == 3 && access.wider.values.allSatisfy { $0 <= 0 }, "\(access.wider)")
        // The first stop of the keyboard leads past the contents, and both can be seen.
        #expect(access.skip.text == "To the contents" && access.skip.outline == "solid" && access.skipped.id == "main")
        #expect(access.aloud.role == "status" && access.aloud.text.hasPrefix("Chosen: "))
    }
}
