// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HTTP

/// Which URLs may be asked at all.
@Suite struct OriginTests {
    @Test(
        arguments: [
            ("https://api.storekit.itunes.apple.com/inApps/v1/x", "api.storekit.itunes.apple.com"),
            ("https://Example.COM:8443?x=1", "example.com"), ("https://example.com", "example.com"),
            ("http://localhost:8080/", "localhost"), ("http://127.255.0.3/", "127.255.0.3"),
            ("http://[::1]:9/", "::1"), ("https://[2001:db8::1]/", "2001:db8::1"),
        ])
    func `an allowed URL gives its host`(url: String, host: String) throws {
        #expect(try Origin(url: url).host == host)
    }

    @Test(
        arguments: [
            "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
            "http://127.1/", "http://0127.0.0.1/", "http://128.0.0.1/", "http://127.0.0.256/", "http://0/",
            "http://[::ffff:7f00:1]/", "ftp://localhost/", "file:///etc/passwd", "HTTPS://example.com/", "//x/",
        ])
    func `plain http leaves the machine for no spelling of a host`(url: String) {
        #expect(throws: Origin.Refusal.scheme) { try Origin(url: url) }
    }

    @Test(
        arguments: [
            "https://user@example.com/", "http://localhost:80@example.com/", "https:///path", "https:example.com",
            "https://exa_mple.com/", "https://example.com:/", "https://example.com:123456/", "https://[::1/",
            "https://[::1]x/", "https://a%2eb/", "https://a\\b/", "https://[fe80::1%25eth0]/",
        ])
    func `a host that could be read in two ways is refused`(url: String) {
        #expect(throws: Origin.Refusal.authority) { try Origin(url: url) }
    }

    @Test func `control characters, spaces, fragments and unencoded text are refused`() {
        for part in [" ", "\r\n", "\u{0}", "#x", "é", "\u{7F}"] {
            #expect(throws: Origin.Refusal.characters) { try Origin(url: "https://example.com/a\(part)") }
        }
    }

    @Test func `connections are shared by scheme, host and port, whatever the path`() throws {
        #expect(try Origin(url: "https://EXAMPLE.com/a").key == Origin(url: "https://example.com/b?c").key)
        #expect(try Origin(url: "https://example.com:444/").key != Origin(url: "https://example.com/").key)
    }
}
