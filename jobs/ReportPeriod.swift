// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Reports

extension ReportPeriod: ExpressibleByArgument {}
