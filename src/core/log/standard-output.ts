/**
 * Writes to standard output and standard error, or to what a command writes to instead. A reader that has left or
 * does not read neither ends nor blocks the process.
 */
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

export type OutputStream = Writable & { readonly isTTY?: boolean }

/** The error of each stream for which output was not written; `null` if there was none, or only the reader had left. */
const failures = new WeakMap<OutputStream, Error | null>()

/** A failing write does not end the process: a command finishes its work although its reader has left (`| head`). */
export function tolerateClosedOutput(streams: readonly OutputStream[]): void {
  for (const stream of streams) {
    if (failures.has(stream)) continue
    failures.set(stream, null)
    stream.on('error', (error) => {
      if (!isClosed(error)) failures.set(stream, error)
    })
  }
}

/** @returns the reason why output was not written, other than a missing reader */
export function outputFailure(streams: readonly OutputStream[]): Error | null {
  return streams.map((stream) => failures.get(stream) ?? null).find((failure) => failure !== null) ?? null
}

function isClosed(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE'
}

/** Waits until all output is written or has failed. @returns false when a reader has stalled for `withinMs` */
export async function isOutputWritten(streams: readonly OutputStream[], withinMs: number): Promise<boolean> {
  const written = streams.map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve())))
  const waiting = new AbortController()
  const late = delay(withinMs, false, { signal: waiting.signal }).catch(() => false)
  return Promise.race([Promise.all(written).then(() => true), late]).finally(() => waiting.abort())
}

/** Lines are collected up to this size before they are written, because writing each line costs more. */
const gatheredBytes = 15_000
const flushEveryMs = 200
/** The limit of lines that a slow reader has not taken; further lines are dropped. */
const maxPendingBytes = 1_048_576

/** Writes lines without waiting for a reader. The lines that a full pipe does not take are bounded. */
export class LineWriter {
  readonly #output: Writable
  #gathered = ''
  #timer: NodeJS.Timeout | null = null
  /** Lines dropped since the last notice. */
  #unreportedDrops = 0
  #dropped = 0

  constructor(output: Writable) {
    this.#output = output
    process.once('exit', () => this.flush())
  }

  get dropped(): number {
    return this.#dropped
  }

  write(line: string): void {
    if (this.#output.writableLength > maxPendingBytes) {
      this.#dropped++
      this.#unreportedDrops++
      return
    }
    this.#gathered += line
    if (this.#gathered.length >= gatheredBytes) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), flushEveryMs).unref()
  }

  /** Lines that cannot be written are lost. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const text = `${this.#droppedNotice()}${this.#gathered}`
    this.#gathered = ''
    if (text !== '') this.#output.write(text)
  }

  #droppedNotice(): string {
    if (this.#unreportedDrops === 0) return ''
    const line = {
      level: 40,
      time: new Date().toISOString(),
      dropped: this.#unreportedDrops,
      msg: 'log lines dropped',
    }
    this.#unreportedDrops = 0
    return `${JSON.stringify(line)}\n`
  }
}
