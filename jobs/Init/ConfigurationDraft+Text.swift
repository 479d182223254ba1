// SPDX-License-Identifier: Apache-2.0

extension ConfigurationDraft {
    /// The file: what was answered, every default, and what each is for.
    var text: String {
        (head + database + ["apps:"] + appStoreLines + googlePlayLines + rest).joined(separator: "\n") + "\n"
    }

    private var head: [String] {
        [
            "# The configuration of subledger. Every key and its default: docs/configuration.md.",
            "# Relative paths start at this file's folder; lengths of time are 10s, 30m, 5h or 90d. A line that begins with # says what",
            "# holds anyway, or what may be added. What is still to be done before the first night: subledger doctor.",
            "",
        ]
    }

    private var database: [String] {
        let url =
            databaseURL == Self.privateDatabase
            ? "  # url: postgresql://etl@db.internal/billing?sslmode=verify-full   # left out: a private PostgreSQL below data:"
            : "  url: \(Self.scalar(databaseURL))"
        return [
            "database:", url,
            "  # A password belongs into a file (passfile=), elsewhere than on this machine only with sslmode=verify-full.",
            "  # retry_for: 5m      # a server that cannot be reached is tried for so long, then the job ends with 75",
            "  # read_url: postgresql://bi@standby.internal/billing?sslmode=verify-full   # a standby, for jobs that only look",
            "  # watchdog: 10m      # a statement without an answer for so long: its session is looked for",
            "# data: ./data         # the folder of a private PostgreSQL", "",
        ]
    }

    /// Of the stores' interfaces that have one address.
    private static let address =
        "    # base_url: https://proxy.internal # another address; ca_file: names its certificate authority"

    /// What every app may have besides.
    private func common(rate: Int) -> [String] {
        [
            "    # environment: production          # or sandbox",
            "    # default_country: JP              # assumed where the store names none",
            "    # requests_per_second: \(rate)          # of the store's quota, for all jobs on this database together",
            "    # max_in_flight: 64                # requests at a time",
            "    # quota: our-name                  # apps of one store that name the same share one pace",
            "    # http: 2                          # 1.1 leaves HTTP/2 out",
            "    # ca_file: proxy-ca.pem            # PEM: the only authorities that are trusted for this app",
            "    # title: Acme for phones           # a name for people, which may change",
            "    # retired: 2027-12-31              # from that day on nothing is asked about it: its key files may go, these lines stay",
        ]
    }

    private var appStoreLines: [String] {
        guard let app = appStore else { return [] }
        let first = [
            "  - id: \(Self.scalar(app.name))   # your own name for it, in every table and report: it cannot be changed later",
            "    store: app_store", "    bundle_id: \(Self.scalar(app.bundleID))",
        ]
        guard let server = app.server else {
            return first + [
                "    api: verify_receipt",
                "    shared_secret_file: \(secretPlace(0))",
                "    # verify_receipt_url: https://buy.itunes.apple.com/verifyReceipt",
                "    # verify_receipt_sandbox_url: https://sandbox.itunes.apple.com/verifyReceipt",
            ] + common(rate: 40)
        }
        return first + [
            "    app_apple_id: \(Self.scalar(server.appAppleID))",
            "    # api: server                      # or verify_receipt, which needs shared_secret_file alone",
            "    issuer_id: \(Self.scalar(server.issuerID))", "    key_id: \(Self.scalar(server.keyID))",
            "    private_key_file: \(secretPlace(0))",
            "    root_certificate_file: \(keyFiles[1].path)   # \(keyFiles[1].origin); mode 644",
            "    # shared_secret_file: secrets/shared_secret   # chmod 600; to check notifications of version 1",
            "    # sandbox_base_url: https://api.storekit-sandbox.apple.com   # where ids that production does not know are asked for",
            Self.address,
        ] + common(rate: 40)
    }

    private var googlePlayLines: [String] {
        guard let app = googlePlay else { return [] }
        let place = appStore == nil ? 0 : appStore?.server == nil ? 1 : 2
        var lines = [
            "  - id: \(Self.scalar(app.name))   # your own name for it, in every table and report: it cannot be changed later",
            "    store: google_play", "    package_name: \(Self.scalar(app.packageName))",
            "    # api: v2                          # or v1, which Google shuts down on 2027-08-31", "    credentials:",
        ]
        if let client = app.clientID {
            lines += [
                "      client_id: \(Self.scalar(client))", "      client_secret_file: \(secretPlace(place))",
                "      refresh_token_file: \(secretPlace(place + 1))",
            ]
        } else {
            lines += [
                "      service_account_file: \(secretPlace(place))",
                "      # or a person's consent: client_id, client_secret_file, refresh_token_file",
            ]
        }
        return lines + [
            "      # token_url: https://oauth2.googleapis.com/token",
            "    # licence_key_file: secrets/play_licence_key   # chmod 600; to take purchases signed by Play",
            "    # pubsub_subscription: projects/NAME/subscriptions/NAME   # notifications are pulled from it",
            "    # pubsub_url: https://pubsub.googleapis.com",
            "    # own_billing: true                # you also sell on billing of your own: totals say that they leave it out",
            Self.address,
        ] + common(rate: 20)
    }

    private func secretPlace(_ index: Int) -> String {
        "\(Self.scalar(keyFiles[index].path))   # chmod 600; \(keyFiles[index].origin)"
    }

    private var rest: [String] {
        [
            "",
            "# Access after the expiry. Nights are 24 h apart and take a while: doctor says where this is less than both.",
            "grace_buffer: 26h",
            "# access: { unread_limit: 3d }         # access where no check since the expiry was answered",
            "# nightly: { finish_within: 5h, wait_for_store: 1h, retry_budget: 10% }", "reports:",
            "  directory: ./reports",
            "  currency: \(Self.scalar(currency))      # that revenue is also given in, at imported rates",
            "  time_zone: \(Self.scalar(timeZone))     # of all days: UTC, store, or a name such as Asia/Tokyo",
            "  # language: en       # of report.html: en or ja",
            "  # chart_js: /usr/share/javascript/chart.js/Chart.min.js   # left out: the system's (Debian: libjs-chart.js)",
            "  # mode: 0640         # of files of reports; whoever may read a file may enter its folder",
            "  # keep: { daily: 90d, monthly: 10y }   # older reports go, each month's last later; left out: none ever does",
            "  # notes: notes.csv   # your remarks on days, drawn on the charts",
            "  # send:              # who is told of new reports: docs/configuration.md has its keys",
            "# status: { max_age: 26h }             # how old an app's last finished night may be before status is NOT OK",
            "# metrics: { textfile: subledger.prom }   # for Prometheus' node exporter, written at each night's end",
            "# ping:                                # files with URLs that are pinged; chmod 600",
            "#   start_file: secrets/ping_start", "#   success_file: secrets/ping_success",
            "#   failure_file: secrets/ping_failure",
            "# archive: { keep: 90d }               # how long answers that changed nothing are kept",
            "# secrets: { trusted_dirs: [] }        # mounts whose file modes are not yours to set",
            "# clock: simulated                     # for trials, with clock_file: and lease:",
        ]
    }
}
