/** The content of a QR code (ISO/IEC 18004): bytes of text, and what corrects errors in them, of level M. */

export interface QrContent {
  /** 1 to 40 */
  version: number
  codewords: Uint8Array
}

/** For each version, from 1: how many codewords of a block correct errors, and how many blocks there are (table 9). */
const correcting = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
]
const blockCounts = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
  31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
]

/** @returns in the smallest version that holds the text; `null` for more than 2331 bytes */
export function contentOf(text: string): QrContent | null {
  const bytes = new TextEncoder().encode(text)
  const version = blockCounts.findIndex((_, index) => capacityOf(index + 1) >= bytes.length) + 1
  return version === 0 ? null : { version, codewords: interleave(version, dataOf(version, bytes)) }
}

/** Of bytes: the mode and the length take 12 bits, or 20 from version 10 on. */
function capacityOf(version: number): number {
  return Math.floor((dataLength(version) * 8 - (version < 10 ? 12 : 20)) / 8)
}

function dataLength(version: number): number {
  return totalLength(version) - (correcting[version - 1] ?? 0) * (blockCounts[version - 1] ?? 0)
}

/** Of all codewords: the modules without those of finders, timing, alignment, format and version. */
function totalLength(version: number): number {
  const side = version * 4 + 17
  const aligned = version === 1 ? 0 : Math.floor(version / 7) + 2
  const alignment = aligned === 0 ? 0 : (aligned ** 2 - 3) * 25 - (aligned - 2) * 10
  const versionBits = version < 7 ? 0 : 36
  return Math.floor((side ** 2 - 3 * 64 - 31 - 2 * (side - 16) - alignment - versionBits) / 8)
}

/** Mode, length, bytes, and padding. */
function dataOf(version: number, bytes: Uint8Array): Uint8Array {
  const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0')
  const content = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const bits = `0100${length}${content}0000`
  const data = new Uint8Array(dataLength(version))
  const used = bits.match(/.{1,8}/g)?.slice(0, data.length) ?? []
  for (const [index, part] of used.entries()) data[index] = Number.parseInt(part.padEnd(8, '0'), 2)
  for (let index = used.length; index < data.length; index++)
    data[index] = (index - used.length) % 2 === 0 ? 0xec : 0x11
  return data
}

/** The first codeword of each block, then the second, and so on; then the correcting ones likewise. */
function interleave(version: number, data: Uint8Array): Uint8Array {
  const count = blockCounts[version - 1] ?? 1
  const shortLength = Math.floor(data.length / count)
  const longFrom = count - (data.length % count)
  const divisor = generator(correcting[version - 1] ?? 0)
  const blocks: Uint8Array[] = []
  let start = 0
  for (let index = 0; index < count; index++) {
    const end = start + shortLength + (index < longFrom ? 0 : 1)
    blocks.push(data.subarray(start, end))
    start = end
  }
  const corrections = blocks.map((block) => remainder(block, divisor))
  const inTurns = (parts: readonly Uint8Array[], length: number): number[] =>
    Array.from({ length }, (_, index) => parts.flatMap((part) => part[index] ?? [])).flat()
  return Uint8Array.from([...inTurns(blocks, shortLength + 1), ...inTurns(corrections, divisor.length)])
}

/** The Reed–Solomon polynomial of this degree without its first coefficient, which is 1. */
function generator(degree: number): Uint8Array {
  const result = new Uint8Array(degree)
  result[degree - 1] = 1
  for (let step = 0, root = 1; step < degree; step++, root = multiply(root, 2))
    for (let index = 0; index < degree; index++)
      result[index] = multiply(result[index] ?? 0, root) ^ (result[index + 1] ?? 0)
  return result
}

function remainder(data: Uint8Array, divisor: Uint8Array): Uint8Array {
  const result = new Uint8Array(divisor.length)
  for (const byte of data) {
    const factor = byte ^ (result[0] ?? 0)
    result.copyWithin(0, 1)
    result[result.length - 1] = 0
    for (const [index, coefficient] of divisor.entries())
      result[index] = (result[index] ?? 0) ^ multiply(coefficient, factor)
  }
  return result
}

/** In the field of 256 elements with the polynomial 0x11d. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    if (((b >>> bit) & 1) === 1) product ^= a
  }
  return product
}
