// SPDX-License-Identifier: Apache-2.0

/// The page's text, in Mustache. HTML, CSS and inline SVG only: it opens from a mail or a disk, years later.
enum ReportTemplate {
    static let text = head + body + money + churn + books

    private static let head = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>Revenue and churn, {{businessDate}}</title>
        <style>

        """# + ReportStyle.css + #"""

            </style>
            </head>

            """#

    private static let body = #"""
        <body>
        <header>
        <h1>Revenue and churn</h1>
        <p class="date">{{lastDate}}</p>
        {{#isReconciled}}<p class="verdict good">Books agree</p>{{/isReconciled}}
        {{^isReconciled}}<p class="verdict bad">Not reconciled: {{failedChecks}}</p>{{/isReconciled}}
        {{#warnings}}<p class="warning">{{.}}</p>{{/warnings}}
        </header>
        <main>
        <section>
        <h2><span class="day">{{lastDate}}</span> against the day before</h2>
        <ul class="cards">
        {{#cards}}
        <li><span class="label">{{label}}</span><span class="figure">{{figure}}</span><span class="change">{{change}}</span><span class="note">{{note}}</span></li>
        {{/cards}}
        </ul>
        {{#hasMoney}}
        <div class="wide"><table>
        <thead><tr><th>Currency</th><th class="n">Gross billings</th><th class="n">Refunded</th><th class="n">Net</th></tr></thead>
        <tbody>
        {{#headlines}}
        <tr><th scope="row">{{currency}}</th><td class="n big">{{gross}}<small>{{grossChange}}</small></td><td class="n big">{{refunded}}<small>{{refundedChange}}</small></td><td class="n big">{{net}}<small>{{netChange}}</small></td></tr>
        {{/headlines}}
        {{#converted}}
        <tr class="all"><th scope="row">All, in {{currency}}</th><td class="n big">{{gross}}<small>{{grossChange}}</small></td><td class="n big">{{refunded}}<small>{{refundedChange}}</small></td><td class="n big">{{net}}<small>{{netChange}}</small></td></tr>
        {{/converted}}
        </tbody>
        </table></div>
        {{#unconverted}}<p class="warning">{{.}}</p>{{/unconverted}}
        <p class="formula">{{#conversionNotes}}{{.}} {{/conversionNotes}}</p>
        {{/hasMoney}}
        {{^hasMoney}}<p>No money moved in the last thirty days.</p>{{/hasMoney}}
        {{#ownBillingNotes}}<p class="formula">{{.}}</p>
        {{/ownBillingNotes}}
        </section>

        """#

    private static let money = #"""
        <section>
        <h2>Revenue, <span class="day">{{windowStart}}</span> to <span class="day">{{lastDate}}</span></h2>
        <p class="formula">Gross billings are the customers' prices, tax as charged, on the day of purchase; they are not recognised revenue. Refunds stand on the day they were given. Net = gross − refunded.</p>
        <div class="charts">
        {{#charts}}
        <figure>
        <figcaption>{{currency}} by day, up to {{highest}}</figcaption>
        <svg viewBox="0 0 {{width}} {{height}}" role="img" aria-label="Gross billings and refunds by day in {{currency}}; the table below has the figures">
        {{#bars}}
        <g><title>{{label}}</title><rect class="gross" x="{{x}}" y="{{grossTop}}" width="14" height="{{grossHeight}}"/><rect class="refunded" x="{{x}}" y="{{line}}" width="14" height="{{refundedHeight}}"/></g>
        {{/bars}}
        <line x1="0" y1="{{line}}" x2="{{width}}" y2="{{line}}"/>
        </svg>
        <p class="axis"><span class="day">{{firstDay}}</span><span class="key">refunds below the line</span><span class="day">{{lastDay}}</span></p>
        </figure>
        {{/charts}}
        </div>
        {{#hasMoney}}
        <h3>By store and product</h3>
        <div class="wide"><table>
        <thead><tr><th>App</th><th>Store</th><th>Product</th><th>Currency</th><th class="n">Charges</th><th class="n">Refunds</th><th class="n">Gross</th><th class="n">Refunded</th><th class="n">Net</th></tr></thead>
        <tbody>
        {{#products}}
        <tr><td>{{app}}</td><td>{{store}}</td><td>{{product}}</td><td>{{currency}}</td><td class="n">{{charges}}</td><td class="n">{{refunds}}</td><td class="n">{{gross}}</td><td class="n">{{refunded}}</td><td class="n">{{net}}</td></tr>
        {{/products}}
        </tbody>
        </table></div>
        <details>
        <summary>By day</summary>
        <div class="wide"><table>
        <thead><tr><th>Day</th><th>Currency</th><th class="n">Charges</th><th class="n">Refunds</th><th class="n">Gross</th><th class="n">Refunded</th><th class="n">Net</th></tr></thead>
        <tbody>
        {{#days}}
        <tr><td>{{span}}</td><td>{{currency}}</td><td class="n">{{charges}}</td><td class="n">{{refunds}}</td><td class="n">{{gross}}</td><td class="n">{{refunded}}</td><td class="n">{{net}}</td></tr>
        {{/days}}
        </tbody>
        </table></div>
        </details>
        <details>
        <summary>By day, store and product</summary>
        <div class="wide"><table>
        <thead><tr><th>Day</th><th>App</th><th>Store</th><th>Product</th><th>Currency</th><th class="n">Charges</th><th class="n">Refunds</th><th class="n">Gross</th><th class="n">Refunded</th><th class="n">Net</th></tr></thead>
        <tbody>
        {{#dayProducts}}
        <tr><td>{{span}}</td><td>{{app}}</td><td>{{store}}</td><td>{{product}}</td><td>{{currency}}</td><td class="n">{{charges}}</td><td class="n">{{refunds}}</td><td class="n">{{gross}}</td><td class="n">{{refunded}}</td><td class="n">{{net}}</td></tr>
        {{/dayProducts}}
        </tbody>
        </table></div>
        </details>
        {{/hasMoney}}
        <h3>By month</h3>
        <div class="wide"><table>
        <thead><tr><th>Month</th><th>Currency</th><th class="n">Charges</th><th class="n">Refunds</th><th class="n">Gross</th><th class="n">Refunded</th><th class="n">Net</th></tr></thead>
        <tbody>
        {{#monthTotals}}
        <tr><td>{{span}}</td><td>{{currency}}</td><td class="n">{{charges}}</td><td class="n">{{refunds}}</td><td class="n">{{gross}}</td><td class="n">{{refunded}}</td><td class="n">{{net}}</td></tr>
        {{/monthTotals}}
        </tbody>
        </table></div>
        <details>
        <summary>By month, store and product</summary>
        <div class="wide"><table>
        <thead><tr><th>Month</th><th>App</th><th>Store</th><th>Product</th><th>Currency</th><th class="n">Charges</th><th class="n">Refunds</th><th class="n">Gross</th><th class="n">Refunded</th><th class="n">Net</th></tr></thead>
        <tbody>
        {{#months}}
        <tr><td>{{span}}</td><td>{{app}}</td><td>{{store}}</td><td>{{product}}</td><td>{{currency}}</td><td class="n">{{charges}}</td><td class="n">{{refunds}}</td><td class="n">{{gross}}</td><td class="n">{{refunded}}</td><td class="n">{{net}}</td></tr>
        {{/months}}
        </tbody>
        </table></div>
        </details>
        </section>

        """#

    private static let churn = #"""
        <section>
        <h2>Churn, <span class="day">{{windowStart}}</span> to <span class="day">{{lastDate}}</span></h2>
        <p class="formula">Churn rate = lineages paying at the opening of <span class="day">{{windowStart}}</span> that the store declared ended within these days ÷ all paying at that opening. It is never netted with those who came back. Churned and its reasons are sums of days, so they count later subscribers too. Lapsed means that payment is awaited: no churn while the store still tries.</p>
        {{#hasChurn}}
        <div class="wide"><table class="dense">
        <thead><tr><th>App</th><th>Product</th><th class="n">Opening</th><th class="n">Of it lost</th><th class="n">Churn rate</th><th class="n">Churned</th><th class="n">Voluntary</th><th class="n">Involuntary</th><th class="n">Price</th><th class="n">Product gone</th><th class="n">Refund</th><th class="n">Other</th><th class="n">Lapsed</th><th class="n">Came and went</th></tr></thead>
        <tbody>
        {{#churn}}
        <tr><td>{{app}}<small>{{store}}</small></td><td>{{product}}</td><td class="n">{{opening}}</td><td class="n">{{lost}}</td><td class="n">{{rate}}</td><td class="n">{{churned}}</td>{{#reasons}}<td class="n">{{.}}</td>{{/reasons}}<td class="n">{{lapsed}}</td><td class="n">{{cameAndWent}}</td></tr>
        {{/churn}}
        </tbody>
        </table></div>
        {{/hasChurn}}
        {{^hasChurn}}<p>No subscription was paid in these days.</p>{{/hasChurn}}
        </section>

        """#

    private static let books = #"""
        <section>
        <h2>Freshness</h2>
        <div class="wide"><table>
        <thead><tr><th>App</th><th>Store</th><th>Last successful check</th><th>Last night</th><th class="n">Due</th><th class="n">Checked</th><th class="n">Due, not checked</th></tr></thead>
        <tbody>
        {{#coverage}}
        <tr{{#isLate}} class="late"{{/isLate}}><td>{{app}}</td><td>{{store}}</td><td>{{lastChecked}}</td><td>{{lastRun}}</td><td class="n">{{due}}</td><td class="n">{{checked}}</td><td class="n{{#hasUnread}} attention{{/hasUnread}}">{{unread}}</td></tr>
        {{/coverage}}
        </tbody>
        </table></div>
        </section>
        <section>
        <h2>Checks</h2>
        <ul class="checks">
        {{#checks}}
        <li class="{{#isFailed}}bad{{/isFailed}}{{^isFailed}}good{{/isFailed}}">{{title}}: {{verdict}}
        {{#isFailed}}
        <div class="wide"><table>
        <thead><tr><th>Where</th><th>Expected</th><th>Found</th></tr></thead>
        <tbody>
        {{#differences}}<tr><td>{{subject}}</td><td>{{expected}}</td><td>{{found}}</td></tr>
        {{/differences}}
        </tbody>
        </table></div>
        {{/isFailed}}
        </li>
        {{/checks}}
        </ul>
        </section>
        <section>
        <h2>Definitions, version {{version}}</h2>
        {{#definitions}}
        <details>
        <summary>{{name}}.csv</summary>
        <p>{{meaning}}</p>
        <dl>
        {{#fields}}<dt>{{name}}</dt><dd>{{meaning}}</dd>
        {{/fields}}
        </dl>
        </details>
        {{/definitions}}
        </section>
        </main>
        <footer>
        <dl class="stamp">
        <dt>Business date</dt><dd>{{businessDate}}</dd>
        <dt>Period of the tables</dt><dd>{{firstDate}} to {{lastDate}}</dd>
        <dt>Time zone</dt><dd>{{timeZone}}</dd>
        <dt>As of</dt><dd>{{asOf}}</dd>
        <dt>Seal</dt><dd>{{seal}}, run {{run}}</dd>
        <dt>Definitions</dt><dd>version {{version}}</dd>
        {{#files}}<dt>{{name}}</dt><dd>{{rows}} rows</dd>
        {{/files}}
        </dl>
        </footer>
        </body>
        </html>

        """#
}
