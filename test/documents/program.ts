/** A program in a process group of its own, and what it has printed so far. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'

export class Program {
  /** What went to standard output since it was last emptied. */
  output = ''
  /** The same for standard error. */
  complaints = ''
  readonly #child: ChildProcessWithoutNullStreams
  #ended = false
  #wake: () => void = () => undefined

  constructor(command: string, given: string[], place: { cwd: string; env: NodeJS.ProcessEnv }) {
    // A group of its own: a signal reaches what the program has started as well.
    this.#child = spawn(command, given, { ...place, detached: true })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.output += text
      this.#wake()
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaints += text
    })
    this.#child.once('close', () => {
      this.#ended = true
      this.#wake()
    })
  }

  write(text: string): void {
    this.#child.stdin.write(text)
  }

  /** Waits until the output holds this; one caller at a time. @throws Error when the program ends before */
  async waitFor(sign: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = sign.exec(this.output)
      if (found !== null) return found
      if (this.#ended) throw new Error(`It has ended: ${this.output}${this.complaints}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** @returns the exit code of the program itself, `null` when a signal ended it */
  async stop(): Promise<number | null> {
    if (!this.#ended && this.#child.pid !== undefined) {
      process.kill(-this.#child.pid, 'SIGTERM')
      await once(this.#child, 'close')
    }
    return this.#child.exitCode
  }
}
