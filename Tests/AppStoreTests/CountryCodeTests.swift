// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AppStore

@Suite struct CountryCodeTests {
    /// Among them those whose two letters are not the first two of the three.
    @Test(arguments: [
        ("USA", "US"), ("JPN", "JP"), ("DEU", "DE"), ("AUT", "AT"), ("CHE", "CH"), ("CHN", "CN"), ("KOR", "KR"),
        ("PRK", "KP"), ("DNK", "DK"), ("SWE", "SE"), ("UKR", "UA"), ("MEX", "MX"), ("PRT", "PT"), ("TUR", "TR"),
        ("SRB", "RS"), ("ZAF", "ZA"), ("ARE", "AE"), ("HKG", "HK"), ("TWN", "TW"), ("XKS", "XK"), ("gbr", "GB"),
    ])
    func `three letters are two`(alpha3: String, alpha2: String) {
        #expect(CountryCode.alpha2(fromAlpha3: alpha3) == alpha2)
    }

    @Test(arguments: ["", "US", "ZZZ", "USAA"])
    func `what is no country is nil`(code: String) {
        #expect(CountryCode.alpha2(fromAlpha3: code) == nil)
    }
}
