/** Draws a QR code (ISO/IEC 18004), such as that of an authenticator app. */
import { contentOf, type QrContent } from './codewords.ts'

/** The rows from the top; `true` is dark. */
export type QrModules = boolean[][]

/** The light modules that scanners need around the code. */
const quietZone = 4

export interface QrPicture {
  /** Of a side, with the quiet zone: the `viewBox` of an SVG is `0 0 side side`. */
  side: number
  /** The `d` of a path that fills the dark modules. */
  path: string
}

/** @returns `null` for a text that is too long for a code */
export function qrPicture(text: string): QrPicture | null {
  const modules = qrModules(text)
  if (modules === null) return null
  const rows = modules.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ 0: run, index: x }) => `M${x + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`),
  )
  return { side: modules.length + 2 * quietZone, path: rows.join('') }
}

/** With the mask of the eight that scanners read best. @returns `null` for a text that is too long */
export function qrModules(text: string): QrModules | null {
  const content = contentOf(text)
  if (content === null) return null
  const all = masks.map((_, mask) => drawn(content, mask))
  const penalties = all.map(penaltyOf)
  return all[penalties.indexOf(Math.min(...penalties))] ?? null
}

/** Whether a module of the content is inverted (table 10). */
const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function drawn({ version, codewords }: QrContent, mask: number): QrModules {
  const side = version * 4 + 17
  const cells: (boolean | null)[][] = Array.from({ length: side }, () => Array(side).fill(null))
  const set = (x: number, y: number, isDark: boolean): void => {
    const row = cells[y]
    if (row !== undefined && x >= 0 && x < side) row[x] = isDark
  }
  drawPatterns(version, side, set)
  drawFormat(mask, side, set)
  if (version >= 7) drawVersion(version, side, set)
  const isInverted = masks[mask] ?? (() => false)
  let bit = 0
  for (const [x, y] of contentPlaces(side)) {
    if (cells[y]?.[x] !== null) continue
    const isSet = (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1
    set(x, y, isSet !== isInverted(x, y))
    bit++
  }
  return cells.map((row) => row.map((isDark) => isDark === true))
}

type SetModule = (x: number, y: number, isDark: boolean) => void

/** Timing, then alignment and finders, which cover it. */
function drawPatterns(version: number, side: number, set: SetModule): void {
  for (let place = 0; place < side; place++) {
    set(6, place, place % 2 === 0)
    set(place, 6, place % 2 === 0)
  }
  const centers = alignmentCenters(version, side)
  const last = centers.at(-1)
  for (const y of centers)
    for (const x of centers) {
      const isFinder = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)
      if (!isFinder) drawSquares(x, y, 2, (distance) => distance !== 1, set)
    }
  for (const [x, y] of [[3, 3] as const, [side - 4, 3] as const, [3, side - 4] as const])
    drawSquares(x, y, 4, (distance) => distance !== 2 && distance !== 4, set)
}

function drawSquares(
  x: number,
  y: number,
  radius: number,
  isDark: (distance: number) => boolean,
  set: SetModule,
): void {
  for (let dy = -radius; dy <= radius; dy++)
    for (let dx = -radius; dx <= radius; dx++)
      set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
}

/** Annex E: at even distances from the end, and one at 6. */
function alignmentCenters(version: number, side: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, index) => side - 7 - step * (count - 2 - index))]
}

/** Level M, whose bits are 00, and the mask, twice. */
function drawFormat(mask: number, side: number, set: SetModule): void {
  const bits = withCheck(mask, 10, 0x537) ^ 0x5412
  for (let index = 0; index < 15; index++) {
    const isDark = ((bits >>> index) & 1) === 1
    if (index < 8) {
      set(8, index < 6 ? index : index + 1, isDark)
      set(side - 1 - index, 8, isDark)
    } else {
      set(index === 8 ? 7 : 14 - index, 8, isDark)
      set(8, side - 15 + index, isDark)
    }
  }
  set(8, side - 8, true)
}

function drawVersion(version: number, side: number, set: SetModule): void {
  const bits = withCheck(version, 12, 0x1f25)
  for (let index = 0; index < 18; index++) {
    const [near, far] = [Math.floor(index / 3), side - 11 + (index % 3)]
    const isDark = ((bits >>> index) & 1) === 1
    set(near, far, isDark)
    set(far, near, isDark)
  }
}

/** The value, then the remainder of its division by the polynomial of this degree (annexes C and D). */
function withCheck(value: number, degree: number, polynomial: number): number {
  let rest = value
  for (let step = 0; step < degree; step++) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * polynomial)
  return (value << degree) | rest
}

/** Pairs of columns from the right, up and down in turns; the column of the timing is left out. */
function* contentPlaces(side: number): Generator<[number, number]> {
  let isUpward = true
  for (let right = side - 1; right >= 1; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < side; step++) {
      const y = isUpward ? side - 1 - step : step
      yield [right, y]
      yield [right - 1, y]
    }
    isUpward = !isUpward
  }
}

/** Section 7.8.3: what is hard to scan. */
function penaltyOf(modules: QrModules): number {
  const rows = modules.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
  const columns = rows.map((_, x) => rows.map((row) => row[x]).join(''))
  let penalty = 0
  for (const line of [...rows, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2
    penalty += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length
  }
  for (const [y, row] of rows.entries())
    for (let x = 1; y > 0 && x < row.length; x++) {
      const square = `${row.slice(x - 1, x + 1)}${rows[y - 1]?.slice(x - 1, x + 1)}`
      if (square === '0000' || square === '1111') penalty += 3
    }
  const dark = rows.join('').replaceAll('0', '').length
  return penalty + 10 * Math.floor(Math.abs(dark * 20 - rows.length ** 2 * 10) / rows.length ** 2)
}
