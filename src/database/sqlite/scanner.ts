/**
 * Runs the scans of SQLite files on two threads. The short thread gives each scan a few milliseconds, which suffice for
 * most scans, so that none waits long. A longer scan starts again on the long thread.
 */
import { DatabaseUnavailable, type Row, type ScanOptions, StatementTimedOut } from '../executor.ts'
import { translate } from './failure.ts'
import type { ScanError, ScanStep } from './scan-message.ts'
import { ScanThread } from './scan-thread.ts'

const maxShortMs = 10

const short = new ScanThread()
const long = new ScanThread()
let lastId = 0

interface Statement {
  path: string
  sql: string
  parameters: readonly unknown[]
}

/** @throws StatementTimedOut, DatabaseBusy, DatabaseUnavailable */
export async function* scanSqlite(statement: Statement, options: ScanOptions): AsyncGenerator<Row[], void> {
  const id = ++lastId
  const first = await step(short, { id, start: statement, limitMs: maxShortMs }, options)
  if (first.isDone && first.error === null) {
    yield first.rows
    return
  }
  if (first.error !== null && !first.error.isTimeout) throw failure(first.error)
  if (!first.isDone) short.stop(id)
  yield* scanLong(++lastId, statement, options)
}

async function* scanLong(
  id: number,
  statement: Statement,
  options: ScanOptions,
): AsyncGenerator<Row[], void> {
  const { time } = options
  let isDone = false
  try {
    for (let start: Statement | null = statement; !isDone; start = null) {
      if (time.leftMs <= 0) throw new StatementTimedOut('The statement took too long.')
      const reply = await step(long, { id, start, limitMs: time.leftMs }, options)
      isDone = reply.isDone
      if (reply.error !== null) throw failure(reply.error)
      yield reply.rows
    }
  } finally {
    if (!isDone) long.stop(id)
  }
}

async function step(thread: ScanThread, request: Omit<ScanStep, 'kind'>, { owner, time }: ScanOptions) {
  const limitMs = Math.min(request.limitMs, time.leftMs)
  const reply = await thread.step(owner, { kind: 'step', ...request, limitMs })
  time.leftMs -= reply.spentMs
  return reply
}

/** Closes the scan connections to a file before the file is closed. */
export async function closeScans(path: string): Promise<void> {
  await Promise.all([short.close(++lastId, path), long.close(++lastId, path)])
}

function failure({ message, isTimeout, errcode }: ScanError): unknown {
  if (isTimeout) return new StatementTimedOut(message)
  const error = new Error(message)
  if (errcode === null) return new DatabaseUnavailable('A scan was interrupted.', error)
  return translate(Object.assign(error, { errcode }))
}
