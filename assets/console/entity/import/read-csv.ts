/** Reads the lines of a CSV file, and recognises what separates their cells. */
import papa from 'papaparse'

export const separators = [',', ';', '\t'] as const
export type Separator = (typeof separators)[number]

export interface CsvLine {
  /** In the file, from 1: where the line begins, because a cell in quotes may have several. */
  line: number
  cells: readonly string[]
  /** Whether its quotation marks are not as they must be, so that its cells cannot be told. */
  isBroken: boolean
}

/** The one with which the first line names the most members, or else the most columns. */
export function separatorOf(content: string, members: ReadonlySet<string>): Separator {
  const scores = separators.map((separator) => {
    const [names = []] = papa.parse<string[]>(content, { delimiter: separator, preview: 1 }).data
    const known = names.filter((name) => members.has(name.trim())).length
    return { separator, known, count: names.length }
  })
  return scores.reduce((best, each) =>
    each.known > best.known || (each.known === best.known && each.count > best.count) ? each : best,
  ).separator
}

/** @returns the lines that have any content, the first line included */
export function readCsv(content: string, separator: Separator): CsvLine[] {
  const { data, errors, meta } = papa.parse<string[]>(content, { delimiter: separator })
  const broken = new Set(errors.map(({ row }) => row))
  let next = 1
  const lines = data.map((cells, index) => {
    const line = next
    next += 1 + cells.reduce((sum, cell) => sum + countLineEnds(cell), 0)
    return {
      line,
      cells: meta.linebreak === '\n' ? withoutReturn(cells) : cells,
      isBroken: broken.has(index),
    }
  })
  return lines.filter(({ cells }) => cells.some((cell) => cell !== ''))
}

function countLineEnds(cell: string): number {
  return cell.match(/\r\n|\r|\n/g)?.length ?? 0
}

/** In a file that ends its lines in both ways, the first of which is `\n`. */
function withoutReturn(cells: readonly string[]): string[] {
  return cells.map((cell, index) => (index === cells.length - 1 ? cell.replace(/\r$/, '') : cell))
}
