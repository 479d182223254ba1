// SPDX-License-Identifier: Apache-2.0

package import Foundations
import Model
import Mustache

/// `report.html`: the figures for people, in one file that needs no network.
///
/// Tables stand in it as text; its script draws charts of the same figures and makes the tables again for what is chosen.
package struct ReportPage {
    package static let fileName = "report.html"
    /// So many notes stand open; more fold away.
    private static let openNoteCount = 12

    let report: ReportIdentity
    let options: PageOptions
    let tables: [ReportTable]
    let checks: [CheckOutcome]
    let coverage: [Coverage]
    let sources: PageSources
    /// What reports and their columns are called in other languages.
    let translations: [Document]

    package init(
        _ report: ReportIdentity, options: PageOptions, tables: [ReportTable], checks: [CheckOutcome],
        coverage: [Coverage], sources: PageSources, translations: [Document]
    ) {
        (self.report, self.options, self.translations) = (report, options, translations)
        (self.tables, self.checks, self.coverage, self.sources) = (tables, checks, coverage, sources)
    }

    private var sections: [PageSection] { tables.map(\.section) }
    /// What apps are called, by id.
    package var titles: [String: String] { sources.titles }
    private var stamp: PageStamp { sources.stamp }

    /// The page as UTF-8; every value is escaped.
    package func html() throws(ReportError) -> [UInt8] {
        do {
            let texts = try texts()
            MustacheContentTypes.register(PageEscaping(), named: PageEscaping.name)
            return [UInt8](try MustacheTemplate(string: PageFiles.page.text).render(try content(texts)).utf8)
        } catch let error as ReportError {
            throw error
        } catch {
            throw ReportError(.definitions, "report.html cannot be made: \(error)")
        }
    }

    private func content(_ texts: PageTexts) throws -> PageContent {
        let money = money
        let ordered = order
        let verdict = verdict(texts)
        let cuts = try PageBudget(money: money).cuts(of: cubes)
        let data = PageData(
            money: money, reportingCurrency: stamp.currency, texts: texts, period: period,
            completeThrough: coverage.map { $0.checkedThrough.flatMap(PageSpan.day) ?? .min }.min() ?? period.lastDay,
            notes: report.notes)
        let charted = ordered.filter { $0.cube != nil }
        let json = try data.json(
            cuts, titles: charted.map { texts.title(of: $0.name, $0.spec) } + [""],
            specs: charted.map(\.specText) + ["{\"tables\":[]}"])
        let script = PageScript(charts: options.chartScript)
        let ownerNotes = (report.notes?.numbered ?? []).map { PageContent.NoteRow($1, number: $0, texts) }
        return PageContent(
            language: texts.language, texts: texts.all, lastDate: report.lastDate.description,
            rank: verdict.rank.rawValue, verdict: verdict.title, isWarned: !verdict.sentences.isEmpty,
            warnings: verdict.sentences,
            sentences: try PageSentences(
                cubes: cubes, money: money, texts: texts, period: period, company: company
            ).all(),
            cards: try cards(texts),
            notes: notes(texts, money: money, verdict: verdict), ownerNotes: ownerNotes,
            hasOwnerNotes: !ownerNotes.isEmpty,
            areOwnerNotesOpen: ownerNotes.count <= Self.openNoteCount,
            ownerNotesCount: texts["notesCount", "count", AmountText.count(Int64(ownerNotes.count))],
            sections: try ordered.map { section in
                let cuts = cuts.first { $0.cube.name == section.name }
                return try self.section(section, cuts: cuts, money: money, texts: texts)
            },
            coverage: coverage.map { PageContent.CoverageRow($0, on: report.businessDate, texts) },
            checks: checks.map { PageContent.CheckRow($0, texts) }, glossary: ordered.map { glossary($0, texts) },
            stamp: stampRows(texts), style: PageFiles.style.text, styleHash: PageScript.hash(PageFiles.style.text),
            chartScript: script.charts, script: script.own, scriptHashes: script.hashes,
            hasCharts: script.charts != nil, data: json)
    }

    /// Without a run that asked a store, everything is older.
    private var period: PagePeriod {
        PagePeriod(
            firstDay: report.firstDate.flatMap { PageSpan.day($0.description) },
            lastDay: PageSpan.day(report.lastDate.description) ?? 0,
            firstObserved: stamp.observedSince.flatMap(PageSpan.day) ?? .max)
    }

    private var company: PagePivot? { sections.compactMap(\.pivot).first }
    private var cubes: [PageCube] { order.compactMap(\.cube) + [sources.windows] }

    func texts() throws(ReportError) -> PageTexts { try texts(in: options.language) }

    private func texts(in language: String) throws(ReportError) -> PageTexts {
        try PageTexts(language: language, documents: translations, titles: sources.titles)
    }

    /// What is missing and what every total leaves out, a sentence each, in that language.
    package func warnings(in language: String) throws(ReportError) -> [String] {
        let verdict = verdict(try texts(in: language))
        return verdict.sentences + verdict.leftOut
    }

    func verdict(_ texts: PageTexts) -> PageVerdict {
        PageVerdict(
            checks: checks, coverage: coverage, missing: sources.missing, businessDate: report.businessDate,
            texts: texts)
    }

    func cards(_ texts: PageTexts) throws -> [PageCards.Text] {
        try PageCards(cubes: cubes, money: money, texts: texts, period: period, company: company).all()
    }

    /// In the reporting currency, unless nothing could be converted: in the currency that most charges were made in.
    var money: PageMoney {
        let cubes = sections.compactMap(\.cube)
        let charges = cubes.first { $0.name == "revenue" }.map(Self.charges) ?? [:]
        guard !cubes.contains(where: \.isConverted),
            let most = charges.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
        else { return PageMoney(currency: stamp.currency, isReporting: true) }
        return PageMoney(currency: most.key, isReporting: false)
    }

    private static func charges(_ revenue: PageCube) -> [String: Int64] {
        guard let column = revenue.columns.firstIndex(where: { $0.name == "charges" }) else { return [:] }
        let view = PageView(cube: revenue, money: PageMoney(currency: "", isReporting: true))
        let sums = (try? view.sums(.column("currency"), of: revenue.months, in: nil)) ?? [:]
        return sums.reduce(into: [:]) { charges, row in charges[row.key.first] = row.value[column] ?? 0 }
    }

    /// As their specifications say; those without one come last.
    private var order: [PageSection] {
        sections.sorted { ($0.spec?.order ?? .max, $0.name) < ($1.spec?.order ?? .max, $1.name) }
    }

    private func section(
        _ section: PageSection, cuts: PageCuts?, money: PageMoney, texts: PageTexts
    ) throws -> PageContent.Section {
        let table = tables.first { $0.name == section.name }
        let terms = ReportTerms(of: section.name, shape: section.shape, texts: texts)
        let html: String
        if let cuts {
            let view = PageView(cube: cuts.cube, money: money)
            html = try PageTables(view: view, cuts: cuts, texts: texts, period: period).all()
                .map { HTMLText.table($0, of: terms) }.joined()
        } else if let pivot = section.pivot {
            html =
                pivot.labels.isEmpty
                ? "" : HTMLText.table(pivot.table(texts, in: stamp.currency, period), of: terms)
        } else {
            let names = section.shape.columns.map(\.name)
            let rows = section.newest.newest.map { row in
                zip(names, row).map { $0 == "figure" ? texts.figure($1) : $1 }
            }
            let columns = names.map { (texts.label($0), $0) }
            html =
                rows.isEmpty
                ? ""
                : HTMLText.table(
                    texts["newestRows", "count", "\(rows.count)"], columns: columns, rows: rows, of: terms)
        }
        return PageContent.Section(
            name: section.name, title: texts.title(of: section.name, section.spec),
            definition: definition(of: section, texts),
            remarks: remarks(section, cuts: cuts, texts: texts), tables: html, isEmpty: html.isEmpty,
            isOfWhole: cuts == nil,
            file: table?.fileName ?? "",
            rows: texts[
                "rowsOf", "file", table?.fileName ?? "", "count", AmountText.count(Int64(table?.rowCount ?? 0))],
            query: texts["sqlHint", "report", section.name])
    }

    /// What changed says since which issue.
    private func definition(of section: PageSection, _ texts: PageTexts) -> String {
        let definition = texts.definition(of: section.name, section.shape)
        guard section.name == "changes", let issue = sources.lastIssue else { return definition }
        return texts[
            "comparedWith", "definition", definition, "date", issue.businessDate, "seal", String(issue.seal)]
    }

    private func remarks(_ section: PageSection, cuts: PageCuts?, texts: PageTexts) -> [String] {
        if let cuts { return PageRemarks(cuts: cuts, texts: texts, period: period).sentences }
        guard let how = section.spec?.before, let first = section.pivot?.labels.first.flatMap({ PageSpan.month($0) }),
            period.isBefore(month: first)
        else { return [] }
        return [PageRemarks.before(how, in: texts, of: period)]
    }

    private func notes(_ texts: PageTexts, money: PageMoney, verdict: PageVerdict) -> [String] {
        var notes = sources.provenance.sentences(
            texts, of: period.window(PagePeriod.cardDays), in: stamp.currency)
        if let first = report.firstDate {
            notes.insert(texts["onlyPeriod", "first", first.description, "last", report.lastDate.description], at: 0)
        }
        if let (first, last) = sources.gap {
            notes.append(texts[first == last ? "gapOne" : "gapMany", "first", first, "last", last])
        }
        if let since = stamp.observedSince { notes.append(texts["observedSince", "date", since]) }
        if coverage.contains(where: { $0.store == StoreKind.appStore.rawValue }) { notes.append(texts["appStoreNote"]) }
        notes.append(texts["prepaidNote"])
        notes += sources.staleRates.map { texts["staleRates", "currency", $0.currency, "date", $0.newest] }
        if stamp.isComparisonOld(on: report.businessDate.description) {
            notes.append(texts["rulesAreOld", "date", stamp.rulesComparedOn])
        }
        if !money.isReporting {
            notes.append(texts["notConverted", "currency", money.currency, "reporting", stamp.currency])
        }
        return notes + verdict.leftOut
    }

    private func glossary(_ section: PageSection, _ texts: PageTexts) -> PageContent.Definition {
        PageContent.Definition(
            name: section.name, title: texts.title(of: section.name, section.spec),
            meaning: texts.definition(of: section.name, section.shape),
            fields: section.shape.columns.map {
                PageContent.Field(
                    id: ReportTerms.id(of: $0.name, in: section.name), name: $0.name,
                    meaning: texts.definition(of: $0, in: section.name))
            })
    }

    private func stampRows(_ texts: PageTexts) -> [PageContent.Field] {
        let rates = stamp.rateSources.map { "\($0), \(stamp.newestRate ?? "")" } ?? texts["noRates"]
        let rows =
            [
                ("businessDate", report.businessDate.description),
                ("period", "\(report.firstDate?.description ?? texts["beginning"]) – \(report.lastDate)"),
                ("timeZone", report.timeZone), ("asOf", report.asOf.iso8601),
                ("seal", String(report.seal)), ("run", String(report.runID)),
                ("definitionsVersion", String(ReportIdentity.definitionsVersion)),
                ("programVersion", options.programVersion), ("reportingCurrency", stamp.currency),
                ("rates", rates), ("rulesComparedOn", stamp.rulesComparedOn),
            ] + (report.notes.map { [("notesFile", $0.sha256)] } ?? [])
        return rows.map { PageContent.Field(id: $0.0, name: texts[$0.0], meaning: $0.1) }
    }
}
