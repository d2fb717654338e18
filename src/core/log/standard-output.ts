/** Standard output and standard error, which end nothing and hold nothing up when nobody reads them. */
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

let isTolerated = false
let failure: Error | null = null

/** A failing write ends nothing: a command goes on with its work when its reader has left (`| head`). */
export function tolerateClosedOutput(): void {
  if (isTolerated) return
  isTolerated = true
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (!isClosed(error)) failure = error
    })
}

/** @returns why something was not written, other than for want of a reader */
export function outputFailure(): Error | null {
  return failure
}

function isClosed(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE'
}

/** Waits until all is written, or cannot be. @returns false when a reader has stalled for so long */
export async function isOutputWritten(withinMs: number): Promise<boolean> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  )
  const waiting = new AbortController()
  const late = delay(withinMs, false, { signal: waiting.signal }).catch(() => false)
  return Promise.race([Promise.all(written).then(() => true), late]).finally(() => waiting.abort())
}

/** Lines are gathered: writing each by itself costs more. */
const gatheredBytes = 15_000
const flushEveryMs = 200
/** Of lines that a slow reader has not taken; further ones are dropped. */
const maxPendingBytes = 1_048_576

/** Writes lines without ever waiting for a reader: a pipe that is full takes what it can, and the rest is bounded. */
export class LineWriter {
  readonly #output: Writable
  #gathered = ''
  #timer: NodeJS.Timeout | null = null
  /** Since the last line that said so. */
  #unreportedDrops = 0
  #dropped = 0

  constructor(output: Writable) {
    this.#output = output
    process.once('exit', () => this.flush())
  }

  /** How many lines were dropped. */
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

  /** What cannot be written at all, for want of a reader or of space, is gone. */
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
