/** Reads the lines of a CSV file (RFC 4180), and recognises what separates their cells. */
import { keyOf } from './mapping.ts'

export const separators = [',', ';', '\t'] as const
export type Separator = (typeof separators)[number]

export interface CsvLine {
  /** In the file, from 1: where the line begins, because a cell in quotes may have several. */
  line: number
  cells: readonly string[]
  /** Whether its quotation marks are not as they must be, so that its cells cannot be told. */
  isBroken: boolean
}

/**
 * The one with which the first line names the most members, or else the most columns.
 * @param members their names, and their keys
 */
export function separatorOf(content: string, members: ReadonlySet<string>): Separator {
  const scores = separators.map((separator) => {
    const [{ cells: names } = { cells: [] }] = linesOf(content, separator)
    const known = names.filter((name) => members.has(name.trim()) || members.has(keyOf(name))).length
    return { separator, known, count: names.length }
  })
  return scores.reduce((best, each) =>
    each.known > best.known || (each.known === best.known && each.count > best.count) ? each : best,
  ).separator
}

/** @returns the lines that have any content, the first line included */
export function readCsv(content: string, separator: Separator): CsvLine[] {
  return [...linesOf(content, separator)].filter(({ cells }) => cells.some((cell) => cell !== ''))
}

function* linesOf(content: string, separator: Separator): Generator<CsvLine> {
  let place = 0
  let line = 1
  while (place < content.length) {
    const read = readLine(content, place, separator)
    yield { line, cells: read.cells, isBroken: read.isBroken }
    line += countLineEnds(content.slice(place, read.end))
    place = read.end
  }
}

function readLine(content: string, begin: number, separator: Separator) {
  const cells: string[] = []
  let isBroken = false
  let place = begin
  for (;;) {
    const cell =
      content[place] === '"' ? quotedCell(content, place, separator) : plainCell(content, place, separator)
    cells.push(cell.text)
    isBroken ||= cell.isBroken
    place = cell.end
    if (content[place] !== separator) break
    place += 1
  }
  const [ending = ''] = /^(?:\r\n|\r|\n)/.exec(content.slice(place, place + 2)) ?? []
  return { cells, isBroken, end: place + ending.length }
}

interface Cell {
  text: string
  /** What follows it: a separator, the end of the line, or that of the file. */
  end: number
  isBroken: boolean
}

function plainCell(content: string, begin: number, separator: Separator): Cell {
  const end = endOf(content, begin, separator)
  return { text: content.slice(begin, end), end, isBroken: false }
}

/** Two quotation marks are one of the text. The last one stands before what ends the cell: others break it. */
function quotedCell(content: string, begin: number, separator: Separator): Cell {
  let isBroken = false
  let place = begin + 1
  for (;;) {
    const quote = content.indexOf('"', place)
    const next = content[quote + 1]
    if (quote === -1) return { text: unquoted(content.slice(begin + 1)), end: content.length, isBroken: true }
    if (next === undefined || next === separator || next === '\n' || next === '\r')
      return { text: unquoted(content.slice(begin + 1, quote)), end: quote + 1, isBroken }
    isBroken ||= next !== '"'
    place = quote + (next === '"' ? 2 : 1)
  }
}

function unquoted(text: string): string {
  return text.replaceAll('""', '"')
}

function endOf(content: string, begin: number, separator: Separator): number {
  let place = begin
  while (place < content.length && !isEnd(content[place], separator)) place += 1
  return place
}

function isEnd(character: string | undefined, separator: Separator): boolean {
  return character === separator || character === '\n' || character === '\r'
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}
