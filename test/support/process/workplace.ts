/** The service as its users run it: a process in a folder, observed by its streams, its exit and its replies. Its commands
 * run in the process of the tests, where the process is not what is tested. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve, sep } from 'node:path'
import { Client } from '../client.ts'
import type { Ended } from './ended.ts'
import { type CommandSurroundings, runHere } from './run-here.ts'

export const project = resolve(import.meta.dirname, '../../..')
export const executable = join(project, 'bin/tenantry.js')

const ours = [process.execPath, executable]
/** With this Node.js before any other. */
const searchPath = [dirname(process.execPath), process.env['PATH']].join(delimiter)
const waitWithinMs = 20_000

/** Of the run: to compile the sources takes as long as to start from them. */
const compileCache = process.env['NODE_COMPILE_CACHE']

/** @see CommandSurroundings for what is not that of the workplace */
export interface RunOptions extends Partial<Omit<CommandSurroundings, 'environment'>> {
  /** In addition to those of the workplace. */
  settings?: Record<string, string>
}

export interface SpawnOptions {
  /** In addition to those of the workplace. */
  settings?: Record<string, string>
  /** The working folder, if it is not that of the workplace. */
  folder?: string
  /** Instead of this Node.js and the executable of the project. */
  command?: string[]
}

/** A working folder with exactly the environment given. Disposing of it ends every process that runs there. */
export class Workplace implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenantry-process-'))
  readonly #compiled = `${this.folder}-compiled`
  readonly #settings: Record<string, string>
  readonly #processes: Running[] = []

  constructor(settings: Record<string, string> = {}) {
    this.#settings = settings
  }

  /** Runs a command to its end, in this process. `serve` is for a service that does not start. */
  run(words: string[], { settings, ...options }: RunOptions = {}): Promise<Ended> {
    const environment = { HOME: this.folder, ...this.#settings, ...settings }
    return runHere(words, { environment, folder: this.folder, ...options })
  }

  /** Runs a command to its end in a process of its own, where that makes a difference. */
  runProcess(words: string[], options: SpawnOptions & { input?: string } = {}): Promise<Ended> {
    const running = this.#spawn(words, options)
    running.process.stdin.end(options.input ?? '')
    return running.ended
  }

  /** Starts the service on a free port and waits until it listens. */
  async serve(settings: Record<string, string> = {}, command?: string[]): Promise<RunningService> {
    const options = { settings: { PORT: '0', ...settings }, ...(command && { command }) }
    const running = this.#spawn(command === undefined ? ['serve'] : [], options)
    const [, url = ''] = await running.waitFor(/^Tenantry listens on (\S+)$/m)
    return Object.assign(running, { url, anonymous: new Client(url) })
  }

  /** For processes other than a plain run of the executable. */
  start(words: string[], options: SpawnOptions = {}): Running {
    return this.#spawn(words, options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((running) => running.kill()))
    for (const folder of [this.folder, this.#compiled]) rmSync(folder, { recursive: true, force: true })
  }

  #spawn(words: string[], { settings, command = ours, folder = this.folder }: SpawnOptions): Running {
    const [program = '', ...first] = command
    const own = { PATH: searchPath, HOME: this.folder, ...this.#compileCacheFor(command) }
    const child = spawn(program, [...first, ...words], {
      cwd: folder,
      env: { ...own, ...this.#settings, ...settings },
      detached: true, // a group of its own, so that what it starts can be ended with it
    })
    const running = new Running(child)
    this.#processes.push(running)
    return running
  }

  /** For programs that run from sources. What is compiled of those elsewhere, such as a copy, goes with the workplace. */
  #compileCacheFor([program, ...words]: readonly string[]): Record<string, string> {
    const source = words.find((word) => word.endsWith('.ts'))
    if (compileCache === undefined || program !== process.execPath || source === undefined) return {}
    return { NODE_COMPILE_CACHE: source.startsWith(project + sep) ? compileCache : this.#compiled }
  }
}

export interface RunningService extends Running {
  url: string
  anonymous: Client
}

const children = new Set<ChildProcessWithoutNullStreams>()
process.once('exit', () => {
  for (const child of children) endGroup(child)
})

export class Running {
  readonly process: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''

  constructor(child: ChildProcessWithoutNullStreams) {
    this.process = child
    children.add(child)
    const began = performance.now()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    child.stdin.on('error', () => undefined) // it may end before it has read everything
    this.ended = once(child, 'close').then(([code, signal]) => {
      children.delete(child)
      return { code, signal, stdout: this.stdout, stderr: this.stderr, ms: performance.now() - began }
    })
  }

  /** Waits until standard output matches. @throws Error when the process ends before, or takes too long */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    const limit = AbortSignal.timeout(waitWithinMs)
    for (;;) {
      const found = pattern.exec(this.stdout)
      if (found !== null) return found
      if (limit.aborted || this.process.stdout.closed) {
        throw new Error(`No ${pattern} in: ${this.stdout}\n${this.stderr}`)
      }
      await Promise.race([once(this.process.stdout, 'data', { signal: limit }), this.ended]).catch(() => null)
    }
  }

  /** The log so far, line by line. */
  log(): LogLine[] {
    const lines = this.stdout.split('\n').filter((line) => line.startsWith('{'))
    return lines.map((line) => JSON.parse(line) as LogLine)
  }

  /** Asks it to end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.process.kill(signal)
    return this.ended
  }

  /** With all that it has started. */
  kill(): Promise<Ended> {
    endGroup(this.process)
    return this.ended
  }
}

function endGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}

export interface LogLine {
  level: number
  time: string
  msg: string
  [member: string]: unknown
}
