import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { leftOpenCode } from './left-open.ts'
import type { NextFile, Report } from './messages.ts'
import type { Times } from './times.ts'

export interface WorkerOptions {
  /** A process keeps what its tests have declared, and a large heap costs time, so it ends after a number of files. */
  filesPerWorker: number
  /** For a test, with what its file does before it: counted from the test that ended last. */
  testTimeoutMs: number
  /** After the last file, for what closes by itself. Timers may take six times as long. */
  endWaitMs: number
  environment: NodeJS.ProcessEnv
  /** Of Node.js, such as `--test-name-pattern=…`. */
  flags: readonly string[]
}

export interface TestEvents {
  passed(): void
  skipped(file: string, name: string, reason: string): void
  /** @param name of the test after those of the suites around it, or what the file did to its process */
  failed(file: string, name: readonly string[], text: string): void
  /** @param output of the file on standard output and standard error */
  ended(file: string, times: Times, output: string): void
}

const project = resolve(import.meta.dirname, '../../..')
const script = resolve(import.meta.dirname, 'worker.ts')
const reporter = resolve(import.meta.dirname, 'worker-reporter.ts')

/** Several threads that collect the garbage of small heaps wait for each other: a tenth of the processor time. */
const collection = '--single-threaded-gc'

/** `stripTypeScriptTypes`, by which the worker loads its files, says with each process that it is experimental. */
const warnings = '--disable-warning=ExperimentalWarning'

/** Takes files from the queue until it is empty or the process has had its share. */
export class WorkerProcess {
  readonly closed: Promise<void>
  readonly #process: ChildProcess
  readonly #options: WorkerOptions
  readonly #queue: (readonly string[])[]
  readonly #events: TestEvents
  /** The rest of a unit. */
  #unit: readonly string[] = []
  #given = 0
  #current: string | null = null
  #last = ''
  #output = ''
  #hasFailed = false
  #isReady = false
  #isKilled = false
  #limit: NodeJS.Timeout | undefined

  constructor(options: WorkerOptions, queue: (readonly string[])[], events: TestEvents) {
    this.#options = options
    this.#queue = queue
    this.#events = events
    this.#process = start(options)
    for (const stream of [this.#process.stdout, this.#process.stderr])
      if (stream !== null) createInterface(stream).on('line', (line) => (this.#output += `${line}\n`))
    this.#process.on('message', (report: Report) => this.#receive(report))
    this.closed = new Promise((done, fail) => {
      this.#process.once('error', fail)
      this.#process.once('close', (code, signal) => {
        this.#judgeEnd(code, signal)
        done()
      })
    })
  }

  /** Whether it has started: one that has not, such as for a wrong flag, says that no other will. */
  get isReady(): boolean {
    return this.#isReady
  }

  kill(): void {
    this.#isKilled = true
    this.#process.kill('SIGKILL')
  }

  #receive(report: Report): void {
    if (this.#current !== null) this.#limitTime()
    if (report.kind === 'passed') this.#events.passed()
    if (report.kind === 'skipped') this.#events.skipped(this.#file(), report.name, report.reason)
    if (report.kind === 'failed') {
      this.#hasFailed = true
      const [file = '', ...name] = report.name
      this.#events.failed(file, name, report.text)
    }
    if (report.kind === 'output') this.#output += report.text
    if (report.kind === 'ended') {
      this.#events.ended(this.#file(), report.times, this.#output)
      this.#output = ''
    }
    if (report.kind === 'ready') this.#isReady = true
    if (report.kind === 'ready' || report.kind === 'ended') this.#giveNext()
  }

  #giveNext(): void {
    this.#last = this.#current ?? this.#last
    if (this.#unit.length === 0 && this.#given < this.#options.filesPerWorker)
      this.#unit = this.#queue.shift() ?? []
    this.#current = this.#unit[0] ?? null
    this.#unit = this.#unit.slice(1)
    this.#given++
    this.#process.send({ file: this.#current } satisfies NextFile, () => undefined) // it may be gone
    this.#limitTime()
  }

  #limitTime(): void {
    clearTimeout(this.#limit)
    const { testTimeoutMs, endWaitMs } = this.#options
    // A worker says itself which test takes too long, and what keeps it alive after its last file.
    const limitMs = this.#current === null ? 9 * endWaitMs : 1.5 * testTimeoutMs
    this.#limit = setTimeout(() => this.#endByForce(), limitMs)
  }

  /** A file that blocks its process does not notice its own time-out. */
  #endByForce(): void {
    this.#fail(this.#current === null ? 'keeps its process alive' : 'never ends', this.#output)
    this.kill()
  }

  #judgeEnd(code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(this.#limit)
    if (this.#unit.length > 0) this.#queue.unshift(this.#unit)
    if (this.#isKilled) return
    if (!this.#isReady) this.#failToStart(signal ?? `exit code ${code}`)
    else if (this.#current !== null)
      this.#fail(`ends its process (${signal ?? `exit code ${code}`})`, this.#output)
    else if (code === leftOpenCode) this.#fail('leaves something behind', this.#output)
    else if (code !== 0 && !this.#hasFailed) this.#fail(`ends with exit code ${code}`, this.#output)
  }

  /** No file is to blame. */
  #failToStart(end: string): void {
    this.#events.failed('The processes of the tests', [`do not start (${end})`], this.#output)
  }

  #fail(name: string, text: string): void {
    this.#hasFailed = true
    this.#events.failed(this.#file(), [name], text)
  }

  #file(): string {
    return this.#current ?? this.#last
  }
}

function start({ environment, flags, testTimeoutMs, endWaitMs }: WorkerOptions): ChildProcess {
  const reporting = [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout']
  return spawn(process.execPath, [collection, warnings, ...reporting, ...flags, script], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      ...environment,
      TEST_TIMEOUT_MS: `${testTimeoutMs}`,
      TEST_END_WAIT_MS: `${endWaitMs}`,
    },
  })
}
