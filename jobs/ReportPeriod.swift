// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Issues

extension ReportPeriod: ExpressibleByArgument {}
