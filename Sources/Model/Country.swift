// SPDX-License-Identifier: Apache-2.0

/// Countries by the two letters of ISO 3166-1, and Kosovo by XK, which is in use for it.
package enum Country {
    /// In capitals, as a person may write it; nil for what is none.
    package static func code(_ text: String) -> String? {
        let code = text.uppercased()
        return codes.contains(code) ? code : nil
    }

    /// As a store says it: in capitals, or one of the three letters that are in use for Kosovo; nil for any other word.
    package static func code(ofStore word: String) -> String? {
        ["XKX", "XKS"].contains(word) ? "XK" : codes.contains(word) ? word : nil
    }

    /// What is wrong with a text that is none, and what may be meant.
    package static func fault(of text: String) -> String {
        guard let meant = meant[text.uppercased()] else { return "two letters of ISO 3166-1, such as US or JP" }
        return "two letters of ISO 3166-1; \(meant)"
    }

    private static let meant = [
        "UK": "the United Kingdom is GB", "EL": "Greece is GR", "EU": "the European Union is no country: name each",
        "USA": "the United States are US", "GBR": "the United Kingdom is GB", "JPN": "Japan is JP",
        "DEU": "Germany is DE",
        "XKX": "Kosovo is XK", "XKS": "Kosovo is XK", "EN": "England is GB",
    ]

    private static let codes = Set(
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG
        CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL
        GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA
        LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP
        NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV
        SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
