// SPDX-License-Identifier: Apache-2.0

/// No run was opened: the one before has done all that this one was for.
package struct NothingToDo: Error {}
