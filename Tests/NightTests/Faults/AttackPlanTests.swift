// SPDX-License-Identifier: Apache-2.0

import Testing

/// Whatever the seed, a selection leaves no family and no stage out, and is the same again.
@Suite struct AttackPlanTests {
    @Test func `a selection has each family and each stage`() {
        for seed in 0..<40 as Range<UInt64> {
            let chosen = AttackPlan.selection(seed: seed)
            #expect(Set(chosen.map(\.family)).union(AttackPlan.counting) == Set(FaultFamily.allCases))
            #expect(Set(chosen.compactMap(\.stage)) == Set(FaultStage.allCases))
            #expect(chosen.count <= FaultFamily.allCases.count + 1)
            #expect(chosen == AttackPlan.selection(seed: seed))
        }
    }

    @Test func `another seed makes another selection`() {
        #expect(Set((0..<20 as Range<UInt64>).map { AttackPlan.selection(seed: $0) }).count == 20)
        #expect(AttackPlan.all(seed: 1).map(\.name) == AttackPlan.all(seed: 2).map(\.name))
    }
}
