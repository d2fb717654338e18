/** Formats the output of commands, and reads secrets from standard input. */

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { BackedUpFile, BackupManifest } from '../operations/backup/manifest.ts'
import { UsageError } from './command.ts'
import type { Surroundings } from './surroundings.ts'

/** Standard output; tests pass their own. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const gap = '  '

/**
 * Formats rows of a table as lines. On a terminal, columns are aligned and control characters removed. For programs,
 * cells are separated by tabs, and contain none.
 */
export function tableLines(rows: readonly string[][], { isTTY }: Pick<Output, 'isTTY'>): string[] {
  if (isTTY !== true)
    return rows.map((cells) => cells.map((cell) => cell.replaceAll(/[\t\r\n]/g, ' ')).join('\t'))
  const shown = rows.map((cells) => cells.map((cell) => cell.replaceAll(/\p{C}/gu, '')))
  const widths = shown.reduce<number[]>(
    (widest, cells) => cells.map((cell, column) => Math.max(widest[column] ?? 0, widthOf(cell))),
    [],
  )
  return shown.map((cells) =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join(gap)
      .trimEnd(),
  )
}

/** Characters that a terminal shows in two columns: Chinese, Japanese and Korean ones, and emoji. */
const wideCharacter =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const graphemes = new Intl.Segmenter()

function widthOf(text: string): number {
  return [...graphemes.segment(text)].reduce(
    (sum, { segment }) => sum + (wideCharacter.test(segment) ? 2 : 1),
    0,
  )
}

const redrawAfterMs = 100
/** Returns to the beginning of the line, and clears it. */
const clearLine = '\r\x1b[K'

/** A progress line that is redrawn on a terminal, and is not shown elsewhere. */
export class Progress {
  readonly #output: Output
  #drawnAtMs = Number.NEGATIVE_INFINITY
  #isShown = false

  constructor(output: Output) {
    this.#output = output
  }

  show(text: string): void {
    const nowMs = performance.now()
    if (this.#output.isTTY !== true || nowMs - this.#drawnAtMs < redrawAfterMs) return
    this.#drawnAtMs = nowMs
    this.#isShown = true
    this.#output.write(`${clearLine}${text}`)
  }

  /** Writes a line that stays. */
  line(text: string): void {
    this.clear()
    this.#output.write(`${text}\n`)
  }

  clear(): void {
    if (this.#isShown) this.#output.write(clearLine)
    this.#isShown = false
  }
}

export function describeFile({ file, bytes, rows }: BackedUpFile): string {
  const count = Object.values(rows).reduce((sum, n) => sum + n, 0)
  return `${file}: ${megabytes(bytes)}, ${count} rows`
}

export function describeTotal({ databases, files }: Pick<BackupManifest, 'databases' | 'files'>): string {
  const bytes = databases.reduce((sum, database) => sum + database.bytes, 0)
  const total = `${databases.length} database${databases.length === 1 ? '' : 's'}, ${megabytes(bytes)}`
  if (files === undefined || files.count === 0) return total
  return `${total}; ${files.count} file${files.count === 1 ? '' : 's'}, ${megabytes(files.bytes)}`
}

/** @returns a size in units of 10⁶ bytes */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/**
 * A connection string may be read from standard input, because an argument is visible in the list of processes and in
 * the history of the shell.
 * @param given `-` for standard input, or the string itself
 * @throws UsageError without input
 */
export async function readConnectionString(given: string, surroundings: Surroundings): Promise<string> {
  return given === '-' ? readSecret('Connection string', surroundings) : given
}

/** @returns the first line; a terminal shows a prompt and hides the input @throws UsageError without input */
export async function readSecret(name: string, { input, errors }: Surroundings): Promise<string> {
  const terminal = input.isTTY === true
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: discarded, terminal })
  lines.on('SIGINT', () => lines.close())
  if (terminal) errors.write(`${name}: `)
  try {
    for await (const line of lines) if (line !== '') return line
    throw new UsageError(`${name}: standard input is empty.`)
  } finally {
    lines.close()
    if (terminal) errors.write('\n')
  }
}
