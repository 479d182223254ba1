// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The house. A target may import what its line names and nothing else: the build refuses undeclared imports
// (--explicit-target-dependency-import-check error) and Tests/HouseTests holds every import line against this list.

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let subprocess: [Target.Dependency] = [
    .product(name: "Subprocess", package: "swift-subprocess"),
    .product(name: "SystemPackage", package: "swift-system"),
]
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let hummingbird: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
]
// A connection's TLS and HTTP/2: the first is OpenSSL's, the limits of the second are not Hummingbird's to set.
let channels: [Target.Dependency] = [
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOTLS", package: "swift-nio"),
    .product(name: "NIOHTTP2", package: "swift-nio-http2"),
    .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
]

// What a static Foundation is made of: objects compiled against the dynamic one do not link it by themselves.
let foundation = [
    "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections", "-lstdc++",
]

let package = Package(
    name: "subledger",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "subledger", targets: ["Program"]),
        .executable(name: "storesim", targets: ["storesim"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    ],
    targets: [
        // The C line: one target each, a module map and a shim, nothing else.
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CLibCURL", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CXLSXWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
        .systemLibrary(name: "CProcess"),

        // What is no domain: days, CSV, JSON, hexadecimal, queues, waits, leases, shares. Every target of the program
        // may import it; the simulated stores may not.
        .target(name: "Foundations"),

        // Values and rules everybody agrees on.
        .target(name: "Model", dependencies: ["Foundations"], plugins: ["EmbedSQLPlugin"]),

        // Adapters: the only importers of their C target. Beside PostgreSQL's, what keeps a server of our own.
        .target(name: "Postgres", dependencies: ["Foundations", "CLibPQ", logging]),
        .target(name: "PrivateServer", dependencies: ["Postgres", logging] + subprocess),
        .target(name: "HTTP", dependencies: ["Foundations", "CLibCURL", logging]),
        .target(name: "Signing", dependencies: ["Foundations", "COpenSSL"]),
        .target(name: "Workbook", dependencies: ["Foundations", "CXLSXWriter"]),

        // sql/**.sql as typed names, generated at build.
        .target(name: "SQLTemplates"),
        .executableTarget(name: "EmbedSQL", dependencies: ["SQLTemplates"]),
        .plugin(
            name: "EmbedSQLPlugin", capability: .buildTool(), dependencies: ["EmbedSQL"], path: "Sources/EmbedSQLPlugin"
        ),
        .target(name: "SQLCatalog", dependencies: ["Foundations", "Model", "Postgres"], plugins: ["EmbedSQLPlugin"]),

        // What any store is, and a room for each store.
        .target(name: "Stores", dependencies: ["Foundations", "Model", "HTTP", "Signing", logging]),
        .target(
            name: "AppStore", dependencies: ["Foundations", "Stores", "Model", "HTTP", "Signing"],
            exclude: ["FIELDS.txt"]),
        .target(
            name: "GooglePlay", dependencies: ["Foundations", "Stores", "Model", "HTTP", "Signing"],
            exclude: ["FIELDS.txt"]),

        // The stages. They never import each other.
        .target(name: "Extract", dependencies: ["Model", "Postgres", "SQLCatalog"]),
        .target(name: "Fetch", dependencies: ["Model", "Stores", logging]),
        .target(name: "Transform", dependencies: ["Model", "Stores"]),
        .target(name: "Load", dependencies: ["Model", "Postgres", "SQLCatalog", logging]),

        // Reports: the tables moved on from seal to seal; files of texts, which know no database; on top of both, what composes an issue.
        .target(name: "Marts", dependencies: ["Model", "Postgres", "SQLCatalog"]),
        .target(
            name: "Rendering", dependencies: ["Foundations", "Model", "Signing", "Workbook", mustache],
            exclude: ["Page/Files"], plugins: ["EmbedSQLPlugin"]),
        .target(
            name: "Issues",
            dependencies: ["Foundations", "Marts", "Rendering", "Model", "Postgres", "Signing", "SQLCatalog"]),

        // Composition: the run ledger, and a room for each work. The rooms never import each other.
        .target(name: "Runs", dependencies: ["Foundations", "Model", "Stores", "Postgres", "SQLCatalog", logging]),
        .target(
            name: "Nightly",
            dependencies: [
                "Foundations", "Runs", "Model", "Stores", "Postgres", "SQLCatalog", "Extract", "Fetch", "Transform",
                "Load", "Issues", "Rendering", logging,
            ]),
        .target(
            name: "Intake",
            dependencies: [
                "Runs", "Model", "Stores", "Postgres", "SQLCatalog", "Extract", "Fetch", "Transform", "Load", logging,
            ]),
        .target(
            name: "Notifications",
            dependencies: ["Foundations", "Runs", "Model", "Stores", "Postgres", "SQLCatalog", logging]),
        .target(
            name: "Imports",
            dependencies: ["Foundations", "Runs", "Model", "Stores", "Postgres", "SQLCatalog", logging]),
        .target(
            name: "Delivery",
            dependencies: [
                "Foundations", "Runs", "Model", "HTTP", "Signing", "Postgres", "SQLCatalog", "Issues", "Rendering",
                logging,
            ],
            exclude: ["Files"], plugins: ["EmbedSQLPlugin"]),
        .target(
            name: "Operations",
            dependencies: ["Runs", "Model", "Postgres", "SQLCatalog", "Marts", "Rendering", "Issues", logging]),
        // What a first night needs: decided from values, and read beside that.
        .target(
            name: "Diagnosis",
            dependencies: ["Foundations", "Runs", "Model", "Stores", "Postgres", "SQLCatalog", "Signing"]),
        .target(
            name: "subledger",
            dependencies: [
                "Foundations", "Runs", "Nightly", "Intake", "Notifications", "Imports", "Operations", "Delivery",
                "Diagnosis", "Model", "Postgres", "PrivateServer", "HTTP", "Signing", "Stores", "AppStore",
                "GooglePlay",
                "Rendering",
                "Issues", argumentParser, logging, yams, unixSignals,
            ],
            path: "jobs"),
        // Linked with the Swift runtime in it, which the tests' own bundle cannot have.
        .executableTarget(
            name: "Program", dependencies: ["subledger", "CProcess"],
            linkerSettings: [.unsafeFlags(["-static-stdlib"] + foundation, .when(platforms: [.linux]))],
            plugins: ["EmbedSQLPlugin"]),

        // The simulated stores, with books of their own, and what puts them on a port.
        .target(name: "StoreSimulator", dependencies: ["Signing", logging]),
        .target(name: "TLSServer", dependencies: ["COpenSSL", logging] + channels),
        .target(name: "SimulatorServer", dependencies: ["StoreSimulator", "TLSServer", logging] + hummingbird),
        .executableTarget(
            name: "storesim", dependencies: ["SimulatorServer", "StoreSimulator", argumentParser, logging],
            path: "Sources/StoreSim"),

        // Tests: without a server, then with real PostgreSQL and real sockets.
        .target(
            name: "TestSupport",
            dependencies: ["Model", "Stores", "Load", "Postgres", "PrivateServer", "SQLCatalog", "Signing", logging],
            path: "Tests/TestSupport", exclude: ["mail_server.py"]),
        .target(name: "StoreCoverage", dependencies: ["StoreSimulator"], path: "Tests/StoreCoverage"),
        .executableTarget(
            name: "measured-steps",
            dependencies: [
                "AppStore", "Transform", "Load", "Stores", "Model", "Signing", "Postgres", "SQLCatalog", "TestSupport",
                argumentParser, logging,
            ], path: "Tests/MeasuredSteps"),
        // The program with one more migration, to which the trial of a package upgrades; linked as it is.
        .executableTarget(
            name: "next-release", dependencies: ["subledger", "Postgres", "SQLCatalog"], path: "Tests/NextRelease",
            linkerSettings: [.unsafeFlags(["-static-stdlib"] + foundation, .when(platforms: [.linux]))]),
        .testTarget(name: "HouseTests", dependencies: ["SQLTemplates"]),
        .testTarget(name: "FoundationsTests", dependencies: ["Foundations"]),
        .testTarget(name: "SQLTemplatesTests", dependencies: ["SQLTemplates", "TestSupport"]),
        .testTarget(name: "ModelTests", dependencies: ["Model"]),
        .testTarget(name: "SigningTests", dependencies: ["Signing", "Foundations", "TestSupport"]),
        .testTarget(
            name: "StoresTests",
            dependencies: ["Stores", "Foundations", "Model", "HTTP", "Signing", "TestSupport", logging]),
        .testTarget(
            name: "AppStoreTests",
            dependencies: [
                "AppStore", "Foundations", "Transform", "Load", "Stores", "Model", "HTTP", "Postgres", "Signing",
                "TestSupport", logging,
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "GooglePlayTests",
            dependencies: [
                "GooglePlay", "Foundations", "Transform", "Load", "Stores", "Model", "HTTP", "Postgres", "Signing",
                "TestSupport", logging,
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(name: "TransformTests", dependencies: ["Transform", "Load", "Stores", "Model", "TestSupport"]),
        .testTarget(
            name: "FetchTests",
            dependencies: ["Fetch", "Foundations", "Stores", "Model", "HTTP", "TestSupport", logging]),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres", "TestSupport", logging]),
        .testTarget(name: "PrivateServerTests", dependencies: ["PrivateServer", "Postgres", "TestSupport"]),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP", "TLSServer", "TestSupport", logging] + hummingbird),
        .testTarget(name: "ExtractTests", dependencies: ["Extract", "Model", "Postgres", "SQLCatalog", "TestSupport"]),
        .testTarget(
            name: "LoadTests", dependencies: ["Load", "Imports", "Model", "Postgres", "SQLCatalog", "TestSupport"]),
        .target(
            name: "ReportSupport",
            dependencies: [
                "Marts", "Rendering", "Issues", "Model", "Postgres", "SQLCatalog", "TestSupport",
            ],
            path: "Tests/ReportSupport", exclude: ["Readers"]),
        .testTarget(
            name: "MartsTests",
            dependencies: [
                "Marts", "Rendering", "Issues", "ReportSupport", "Model", "Postgres", "SQLCatalog", "TestSupport",
            ]),
        .testTarget(
            name: "RenderingTests",
            dependencies: ["Rendering", "Foundations", "Workbook", "Model", "SQLCatalog", "TestSupport"]),
        .testTarget(
            name: "IssuesTests",
            dependencies: [
                "Issues", "Marts", "Rendering", "ReportSupport", "Foundations", "Model", "Postgres", "Signing",
                "SQLCatalog", "TestSupport",
            ]),
        .testTarget(
            name: "RunsTests",
            dependencies: ["Runs", "Operations", "Model", "Stores", "Postgres", "SQLCatalog", "TestSupport", logging]),
        .testTarget(
            name: "NightlyTests",
            dependencies: [
                "Nightly", "Runs", "Notifications", "Operations", "Extract", "Fetch", "Load", "Stores", "HTTP", "Model",
                "Postgres", "SQLCatalog", "TestSupport", logging,
            ]),
        .testTarget(
            name: "DeliveryTests",
            dependencies: [
                "Delivery", "Foundations", "Issues", "Rendering", "Runs", "HTTP", "Model", "Postgres", "Signing",
                "SQLCatalog",
                "TestSupport", logging,
            ]),
        .testTarget(
            name: "OperationsTests",
            dependencies: ["Operations", "Issues", "Runs", "Model", "Postgres", "SQLCatalog", "TestSupport", logging],
            exclude: ["Releases"]),
        .testTarget(name: "DiagnosisTests", dependencies: ["Diagnosis", "Model", "Stores", "TestSupport"]),
        .testTarget(
            name: "JobsTests",
            dependencies: [
                "subledger", "Runs", "Nightly", "Imports", "Operations", "Delivery", "AppStore", "GooglePlay", "Stores",
                "HTTP", "Model", "Postgres", "PrivateServer", "Issues", "Rendering", "TestSupport", argumentParser,
                logging,
            ],
            exclude: ["Manifests"]),
        .testTarget(
            name: "IntakeTests",
            dependencies: [
                "subledger", "Runs", "Intake", "Load", "Operations", "Model", "Postgres", "SQLCatalog", "TestSupport",
                logging,
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "NotificationTests",
            dependencies: [
                "subledger", "Runs", "Notifications", "Operations", "Model", "Postgres", "Signing", "Stores",
                "TestSupport", logging,
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "StoreSimulatorTests",
            dependencies: [
                "SimulatorServer", "StoreSimulator", "StoreCoverage", "HTTP", "Signing", "TestSupport", logging,
            ]),
        .testTarget(
            name: "ClientTests", dependencies: ["SimulatorServer", "StoreSimulator", "TestSupport"],
            exclude: ["Clients"]),
        .testTarget(
            name: "NightTests",
            dependencies: [
                "subledger", "SimulatorServer", "StoreSimulator", "StoreCoverage", "Model", "Postgres",
                "PrivateServer", "SQLCatalog", "TestSupport",
            ],
            exclude: ["Browser"]),
    ]
)

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    // HouseTests read every file there is.
    let isHurried = target.type == .test && target.name != "HouseTests" || target.name == "ReportSupport"
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        // Tests look inside modules of the optimised build, too: it is the one that users install. They themselves gain
        // nothing from being optimised, and their build would take twice as long.
        .unsafeFlags(
            (target.type == .test ? [] : ["-enable-testing"]) + (isHurried ? ["-Onone"] : []),
            .when(configuration: .release)),
    ]
}
