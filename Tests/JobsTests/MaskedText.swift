// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// A line of a file, to be looked for in this process's own memory without being in it.
@safe struct MaskedText {
    private static let mask: UInt8 = 0x5a
    private let masked: [UInt8]

    /// The first 40 bytes of that line, counted from 0.
    ///
    /// The file is read into memory that is overwritten at once.
    init(ofLine line: Int, of path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var masked: [UInt8] = []
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4_096) { buffer in
            let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            for place in 0..<max(count, 0) { unsafe buffer[place] ^= Self.mask }
            let lines = unsafe buffer[..<max(count, 0)].split(separator: UInt8(ascii: "\n") ^ Self.mask)
            if unsafe lines.count > line { masked = unsafe Array(lines[line].prefix(40)) }
        }
        guard masked.count == 40 else { throw TestSupportError("\(path) has no such line") }
        self.masked = masked
    }

    /// How often it is in the memory that this process can write.
    func placesInMemory() throws -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw TestSupportError("the test's own memory cannot be read") }
        defer { close(memory) }
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        return unsafe withUnsafeTemporaryAllocation(byteCount: Self.window + masked.count, alignment: 8) { buffer in
            let text = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[Self.window...])
            for place in masked.indices { unsafe text[place] = masked[place] ^ Self.mask }
            defer { unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0) }
            return maps.split(separator: "\n").reduce(0) { count, line in
                let words = line.split(separator: " ")
                let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
                guard words[1].hasPrefix("rw"), ends.count == 2 else { return count }
                return unsafe count + places(in: memory, ends[0]..<ends[1], through: buffer)
            }
        }
    }

    private static let window = 1 << 20

    /// Read through the buffer, whose end is the text itself: what is found in the buffer does not count.
    private func places(
        in memory: Int32, _ addresses: Range<Int>, through buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let own = Int(bitPattern: buffer.baseAddress)
        var (count, place) = (0, addresses.lowerBound)
        while place < addresses.upperBound {
            let length = unsafe pread(
                memory, buffer.baseAddress, min(Self.window, addresses.upperBound - place), place)
            guard length >= masked.count else { break }
            let found = unsafe offsets(in: buffer, length).filter {
                !(own..<own + buffer.count).contains(place + $0)
            }
            count += found.count
            place += length < Self.window ? length : length - masked.count + 1
        }
        return count
    }

    /// Where the text at the end of the buffer is in its first bytes, too.
    private func offsets(in buffer: UnsafeMutableRawBufferPointer, _ length: Int) -> [Int] {
        guard let base = buffer.baseAddress else { return [] }
        let text = unsafe base.advanced(by: Self.window)
        let last = length - masked.count
        var (found, start) = ([Int](), 0)
        while start <= last,
            let next = unsafe memchr(base.advanced(by: start), Int32(text.load(as: UInt8.self)), last - start + 1)
        {
            let offset = unsafe base.distance(to: next)
            if unsafe memcmp(next, text, masked.count) == 0 { found.append(offset) }
            start = offset + 1
        }
        return found
    }
}
