/** Where a command says what it does: standard output, or what a test reads. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const gap = '  '

/**
 * Rows of a table as lines. On a terminal the columns are aligned, and what would move the cursor is left out; anywhere
 * else a tab stands between the cells, and nowhere else, for programs.
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

/** What a terminal shows in two columns: Chinese, Japanese and Korean letters, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const graphemes = new Intl.Segmenter()

function widthOf(text: string): number {
  return [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0)
}

const redrawAfterMs = 100
/** Back to the beginning of the line, and all of it away. */
const clearLine = '\r\x1b[K'

/** On a terminal a line that is drawn again and again; anywhere else nothing. */
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

  /** A line that stays. */
  line(text: string): void {
    this.clear()
    this.#output.write(`${text}\n`)
  }

  clear(): void {
    if (this.#isShown) this.#output.write(clearLine)
    this.#isShown = false
  }
}
