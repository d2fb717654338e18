/** Reads the lines of a CSV file (RFC 4180), and recognises the separator of its cells. */
import { keyOf } from './mapping.ts'

export const separators = [',', ';', '\t'] as const
export type Separator = (typeof separators)[number]

export interface CsvLine {
  /** The number of the line in the file, from 1. With line ends in quoted cells, it is that of the beginning. */
  line: number
  cells: readonly string[]
  /** Whether quotation marks are misplaced, so that the cells are not certain. */
  isBroken: boolean
}

/**
 * @returns the separator with which the head names the most members, or else has the most columns
 * @param members the names of the members, and their `keyOf`
 */
export function separatorOf(content: string, members: ReadonlySet<string>): Separator {
  const scores = separators.map((separator) => {
    const [{ cells: names } = { cells: [] }] = filledLines(content, separator)
    const known = names.filter((name) => members.has(name.trim()) || members.has(keyOf(name))).length
    return { separator, known, count: names.length }
  })
  return scores.reduce((best, each) =>
    each.known > best.known || (each.known === best.known && each.count > best.count) ? each : best,
  ).separator
}

/** @returns the lines with any content, the first of which is the head */
export function readCsv(content: string, separator: Separator): CsvLine[] {
  return [...filledLines(content, separator)]
}

function* filledLines(content: string, separator: Separator): Generator<CsvLine> {
  for (const line of linesOf(content, separator)) if (line.cells.some((cell) => cell !== '')) yield line
}

function* linesOf(content: string, separator: Separator): Generator<CsvLine> {
  let position = 0
  let line = 1
  while (position < content.length) {
    const read = readLine(content, position, separator)
    yield { line, cells: read.cells, isBroken: read.isBroken }
    line += countLineEnds(content.slice(position, read.end))
    position = read.end
  }
}

function readLine(content: string, begin: number, separator: Separator) {
  const cells: string[] = []
  let isBroken = false
  let position = begin
  for (;;) {
    const cell =
      content[position] === '"'
        ? quotedCell(content, position, separator)
        : plainCell(content, position, separator)
    cells.push(cell.text)
    isBroken ||= cell.isBroken
    position = cell.end
    if (content[position] !== separator) break
    position += 1
  }
  const [ending = ''] = /^(?:\r\n|\r|\n)/.exec(content.slice(position, position + 2)) ?? []
  return { cells, isBroken, end: position + ending.length }
}

interface Cell {
  text: string
  /** The index after the cell, of a separator, a line end, or the end of the file. */
  end: number
  isBroken: boolean
}

function plainCell(content: string, begin: number, separator: Separator): Cell {
  const end = endOf(content, begin, separator)
  return { text: content.slice(begin, end), end, isBroken: false }
}

/** Reads a cell in quotation marks. Two of them stand for one; the cell is broken if anything follows the last one. */
function quotedCell(content: string, begin: number, separator: Separator): Cell {
  let isBroken = false
  let position = begin + 1
  for (;;) {
    const quote = content.indexOf('"', position)
    const next = content[quote + 1]
    if (quote === -1) return { text: unquoted(content.slice(begin + 1)), end: content.length, isBroken: true }
    if (next === undefined || next === separator || next === '\n' || next === '\r')
      return { text: unquoted(content.slice(begin + 1, quote)), end: quote + 1, isBroken }
    isBroken ||= next !== '"'
    position = quote + (next === '"' ? 2 : 1)
  }
}

function unquoted(text: string): string {
  return text.replaceAll('""', '"')
}

function endOf(content: string, begin: number, separator: Separator): number {
  let position = begin
  while (position < content.length && !isEnd(content[position], separator)) position += 1
  return position
}

function isEnd(character: string | undefined, separator: Separator): boolean {
  return character === separator || character === '\n' || character === '\r'
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}
