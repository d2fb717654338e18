/** Where a command says what it does: standard output, or what a test reads. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
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
