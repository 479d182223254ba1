// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    ///
    /// No measure of speed: a healthy test is far below it on a slow machine that is busy besides.
    package static var hangLimit: Self { .timeLimit(.minutes(30)) }

    /// The same for tests that play months of nights.
    package static var longHangLimit: Self { .timeLimit(.minutes(180)) }
}
