// SPDX-License-Identifier: Apache-2.0

import SQLTemplates
import Testing

/// Numbers of rules, said once.
@Suite struct RuleListTests {
    private static let text = "# About the file.\n\n# Up to here a gap is none.\n# Both ways.\ngap = 24 hours\n"

    @Test func `a rule has a name, hours and what is said above it`() throws {
        let rule = try #require(try RuleList(text: Self.text).rules.first)
        #expect(rule.name == "gap" && rule.hours == 24)
        #expect(rule.meaning == ["Up to here a gap is none.", "Both ways."])
    }

    @Test func `a statement says it as an interval, or in words`() throws {
        let rules = try RuleList(text: Self.text)
        #expect(
            try rules.expanded("-- Within {rule gap in words}.\nselect now() + {rule gap}", path: "a.sql")
                == "-- Within 24 hours.\nselect now() + interval '24 hours'")
        #expect(try RuleList.none.expanded("select '{}'", path: "a.sql") == "select '{}'")
    }

    @Test func `what is no rule fails, and says where`() throws {
        let rules = try RuleList(text: Self.text)
        let error = #expect(throws: TemplateError.self) {
            try rules.expanded("-- Why.\nselect {rule pause}", path: "folder/a.sql")
        }
        #expect(error?.description == "folder/a.sql, line 2: {rule pause} is not in rules.txt, which has gap")
    }

    @Test(arguments: ["gap = 24", "gap: 24 hours", "gap = a day", "gap = 24 hours\ngap = 25 hours"])
    func `a line that is no rule is refused, and so is a name that comes twice`(line: String) {
        let error = #expect(throws: TemplateError.self) { try RuleList(text: "# Why.\n" + line) }
        #expect(error?.path == "rules.txt" && (error?.line ?? 0) >= 2)
    }

    @Test func `a rule without a meaning is refused`() {
        #expect(throws: TemplateError.self) { try RuleList(text: "# About the file.\n\ngap = 24 hours\n") }
    }
}
