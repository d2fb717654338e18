/** What a run prints about its tests: a dot for each, a failure at once and whole at the end, and what took how long. */
import { processorMs, type Times } from './times.ts'
import type { TestEvents } from './worker-process.ts'

export interface Failure {
  file: string
  name: readonly string[]
  text: string
}

const dotsPerLine = 100
const shownFiles = 20

export class RunReport implements TestEvents {
  readonly failures: Failure[] = []
  readonly times = new Map<string, Times>()
  readonly #skipped: string[] = []
  readonly #isVerbose: boolean
  #passed = 0
  #dots = 0

  /** @param isVerbose shows what the files print, such as a line for each test */
  constructor(isVerbose: boolean) {
    this.#isVerbose = isVerbose
  }

  readonly passed = (): void => {
    this.#passed++
    this.#dot('.')
  }

  readonly skipped = (file: string, name: string, reason: string): void => {
    this.#skipped.push(`${file}: ${name}: ${reason}`)
    this.#dot('s')
  }

  readonly failed = (file: string, name: readonly string[], text: string): void => {
    this.failures.push({ file, name, text })
    write(`\n✖ ${[file, ...name].join(' › ')}\n`)
    this.#dots = 0
  }

  readonly ended = (file: string, times: Times, output: string): void => {
    this.times.set(file, times)
    if (output === '') return
    write(this.#isVerbose ? output : `\nOutput of ${file}:\n${output}`)
    this.#dots = 0
  }

  /** Failures whole, and how many tests there were. */
  printEnd(): void {
    for (const { file, name, text } of this.failures)
      write(`\n✖ ${[file, ...name].join(' › ')}\n${text.replaceAll(/^/gm, '  ')}\n`)
    if (this.#skipped.length > 0) write(`\nSkipped:\n${this.#skipped.map((line) => `  ${line}\n`).join('')}`)
    write(`\n${this.#passed} passed, ${this.failures.length} failed, ${this.#skipped.length} skipped\n`)
  }

  printSlowest(): void {
    const rows = [...this.times].toSorted(([, one], [, other]) => processorMs(other) - processorMs(one))
    write(
      `\n== Files that took the most processor time, in seconds: of their own, of processes, and the wait\n`,
    )
    for (const [file, { ownMs, startedMs, wallMs }] of rows.slice(0, shownFiles))
      write(`${[ownMs, startedMs, wallMs].map(inSeconds).join('')}  ${file}\n`)
  }

  /** Processor time in the processes of the tests, and in those that these have started. */
  sum(member: 'ownMs' | 'startedMs'): number {
    return [...this.times.values()].reduce((sum, times) => sum + times[member], 0)
  }

  #dot(text: string): void {
    if (this.#isVerbose) return
    write(text)
    if (++this.#dots % dotsPerLine === 0) write('\n')
  }
}

/** One line, for the end of the output: all that many a CI shows. */
export function summaryOf({ file, name, text }: Failure): string {
  const message = text.split('\n').find((line) => line.trim() !== '') ?? ''
  return `✖ ${[file, ...name].join(' › ')}: ${message.trim()}`
}

export function inSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1).padStart(8)
}

export function write(text: string): void {
  process.stdout.write(text)
}
