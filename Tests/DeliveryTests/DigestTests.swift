// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import Rendering
import SQLCatalog
import Testing

@testable import Delivery

/// What a message says, in words that a stranger's names cannot break.
@Suite struct DigestTests {
    private static let folder = "/srv/reports/2026-03-31.2"

    private static func digest(
        _ summary: IssueSummary, _ alerts: [Alert] = [], link: String? = "https://bi.acme.com/reports"
    ) throws -> Digest {
        let now = try #require(Instant(iso8601: Summaries.night))
        return try Digest(of: summary, alerts: alerts, folder: folder, link: link, now: now + .hours(40))
    }

    @Test func `a digest of a quiet issue, word by word`() throws {
        let text = DigestText(digest: try Self.digest(Summaries.summary(movedFigures: 1_234)))
        #expect(text.digest.subject == "Revenue and churn 2026-03-31: Agrees and complete")
        #expect(
            text.plain == """
                Revenue and churn, 2026-03-31
                Agrees and complete

                MRR: 1,000.00 USD (+2.0% against 30 days before)

                1,234 past figures moved since the last issue: changes.csv names the transactions.
                Open the report: https://bi.acme.com/reports/2026-03-31.2/report.html

                As known at 2026-04-01T02:15:00Z, seal 7.

                """)
    }

    @Test func `alerts come first, what is missing after the figures`() throws {
        let alerts: [Alert] = [
            .notReconciled, .stale(app: "acme-ios", lastCheckedAt: Instant(iso8601: Summaries.night)),
            .stale(app: "new", lastCheckedAt: nil), .missingPrices(app: "acme-ios", count: 1_200),
            .unknownValues(3), .mrr(now: 899_000_000, before: 1_000_000_000),
            .netRevenue(ofWeek: -5_000_000, usual: 700_000_000), .refunds(ofWeek: 147_500_000, usual: 70_000_000),
            .churnReason(
                "involuntary", now: Alert.Share(part: 2_130, whole: 3_000), before: Alert.Share(part: 90, whole: 180)),
        ]
        let summary = Summaries.summary(verdict: "Not reconciled: churn", warnings: ["acme-ios is late"])
        let text = DigestText(digest: try Self.digest(summary, alerts, link: nil))
        #expect(text.digest.subject == "9 alerts: revenue and churn 2026-03-31")
        #expect(
            text.plain == """
                Revenue and churn, 2026-03-31
                Not reconciled: churn

                Alerts
                - The books do not agree: Not reconciled: churn
                - acme-ios was last read 40 hours ago, at 2026-04-01T02:15:00Z: see subledger status
                - new was never read: see subledger status
                - acme-ios: subscribers without a price: 1,200. Mend it: subledger import prices FILE
                - Words of the stores that this version does not know: 3. See subledger status
                - MRR: 899.00 USD, against 1,000.00 USD thirty days before
                - Net revenue of the last 7 days: −5.00 USD, against 700.00 USD in a usual week
                - Refunds of the last 7 days: 147.50 USD, against 70.00 USD in a usual week
                - Churn by reason, payment failed: 71.0% of the last 30 days, against 50.0% of the 90 days before

                MRR: 1,000.00 USD (+2.0% against 30 days before)

                What the figures lack
                - acme-ios is late

                No past figure moved since the last issue.
                The report stands on the server: /srv/reports/2026-03-31.2/report.html

                As known at 2026-04-01T02:15:00Z, seal 7.

                """)
    }

    @Test func `what a figure is made of comes before how it moved, in mails and in Slack`() throws {
        let trial = IssueSummary.Figure(
            id: "trialConversion", label: "Trial conversion, 30 days", text: "41.2%", detail: "14 of 34, 5 pending",
            changes: ["+1.0 points against 30 days before"])
        let digest = try Self.digest(Summaries.summary(figures: [trial]))
        let words = "14 of 34, 5 pending; +1.0 points against 30 days before"
        #expect(DigestText(digest: digest).plain.contains("\nTrial conversion, 30 days: 41.2% (\(words))\n"))
        #expect(DigestText(digest: digest).html.contains("14 of 34, 5 pending<br>+1.0 points against 30 days before"))
        #expect(SlackMessage(digest).text.contains("\nTrial conversion, 30 days: *41.2%* (\(words))\n"))
    }

    @Test func `a digest speaks the report's language`() throws {
        let summary = Summaries.summary(
            verdict: "整合・欠落なし", movedFigures: 1, language: "ja",
            figures: [IssueSummary.Figure(id: "mrr", label: "MRR", text: "1,000 JPY", changes: ["30日前比 +2.0%"])])
        let text = DigestText(digest: try Self.digest(summary, [.mrr(now: 899_000_000, before: 1_000_000_000)]))
        #expect(text.digest.subject == "警告 1 件: 売上と解約 2026-03-31")
        #expect(
            text.plain == """
                売上と解約 2026-03-31
                整合・欠落なし

                警告
                - MRR: 899.00 USD(30日前は 1,000.00 USD)

                MRR: 1,000 JPY (30日前比 +2.0%)

                前回の発行以降に過去の数値 1 件が変わりました。該当する取引は changes.csv にあります。
                レポートを開く: https://bi.acme.com/reports/2026-03-31.2/report.html

                2026-04-01T02:15:00Z 時点、シール番号 7。

                """)
        #expect(text.html.contains("<html lang=\"ja\">"))
    }

    @Test func `both languages say the same things, with the same words to fill in`() throws {
        let all = try JSONDecoder().decode(
            [String: [String: String]].self, from: Data(MessageFiles.messages.text.utf8))
        let english = try #require(all["en"])
        let japanese = try #require(all["ja"])
        #expect(all.count == 2 && english.keys.sorted() == japanese.keys.sorted())
        for (name, text) in english {
            let words = { (text: String) in Set(text.matches(of: /\{\w+\}/).map { String($0.0) }) }
            #expect(words(text) == words(japanese[name] ?? ""), "\(name)")
        }
    }

    private static let hostile = "<!channel> & <script>alert('{count}')</script>\"*|"

    @Test func `whatever an app is called, it is text in HTML and in a chat`() throws {
        let apps = [IssueSummary.App(app: Self.hostile, lastCheckedAt: nil, missingPrices: 2)]
        let summary = Summaries.summary(warnings: [Self.hostile], apps: apps)
        let digest = try Self.digest(summary, [.missingPrices(app: Self.hostile, count: 2)])
        let html = DigestText(digest: digest).html
        #expect(!html.contains("<script") && !html.contains("<!channel"))
        #expect(html.contains("&lt;script&gt;alert(&#39;{count}&#39;)&lt;/script&gt;&quot;*|: subscribers"))
        let json = try SlackMessage(digest).json()
        let text =
            try #require(
                try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])["text"] as? String ?? ""
        #expect(!text.contains("<!channel") && !text.contains("<script"))
        #expect(
            text.contains("• &lt;!channel&gt; &amp; &lt;script&gt;alert('{count}')&lt;/script&gt;\"*|: subscribers"))
        // The one address there is.
        #expect(
            text.matches(of: /<[^>]*>/).map { String($0.0) } == [
                "<https://bi.acme.com/reports/2026-03-31.2/report.html|Open the report>"
            ])
    }

    @Test func `a chat's message is cut between lines, and retains its end`() throws {
        let warnings = (1...200).map { "warning number \($0) of an app with a name" }
        let json = try SlackMessage(try Self.digest(Summaries.summary(warnings: warnings))).json()
        let message = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        let text = try #require(message["text"] as? String)
        #expect(text.count <= 3_502 && text.contains("\n• warning number 1 of an app with a name\n"))
        #expect(text.contains("\n…\n\nNo past figure moved since the last issue.\n<https://"))
        #expect(message["unfurl_links"] as? Bool == false)
    }

    @Test func `what is filled in is not filled in again`() {
        #expect(
            FilledText.filled("{app}: {count} of {all} {", ["app", "{count}", "count", "3"]) == "{count}: 3 of {all} {")
    }
}
