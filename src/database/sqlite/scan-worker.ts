/** The scan thread: returns a batch of rows for each step. `scan-thread.ts` schedules the steps. */

import type { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { type Row, StatementTimedOut } from '../executor.ts'
import { errorMessage } from '../thrown.ts'
import { openExisting } from './existing-file.ts'
import type { ScanError, ScanReply, ScanRequest, ScanStep } from './scan-message.ts'
import { Statements } from './statements.ts'
import { threadCpuMs } from './time-limit.ts'

/** A batch ends when it reaches one of these limits. */
const maxBatchRows = 500
const maxBatchBytes = 128 * 1024
const maxBatchMs = 5

const maxIdleConnections = 8
/** How long SQLite waits for a lock. It is short, because scans of other files wait meanwhile. */
const busyTimeoutMs = 20

interface Connection {
  path: string
  database: DatabaseSync
  statements: Statements
}

interface Scan {
  connection: Connection
  rows: Generator<Row, void>
  limitMs: number
}

const scans = new Map<number, Scan>()
/** Idle connections in the order of their last use. */
const idle: Connection[] = []

parentPort?.on('message', (request: ScanRequest) => {
  if (request.kind === 'stop') end(request.id)
  else parentPort?.postMessage(request.kind === 'close' ? closed(request) : step(request))
})

function step(request: ScanStep): ScanReply {
  const { id, limitMs } = request
  const beganMs = threadCpuMs()
  const spentMs = () => threadCpuMs() - beganMs
  try {
    const scan = scans.get(id) ?? begin(request)
    scan.limitMs = limitMs
    const { rows, isDone } = nextBatch(scan, spentMs)
    if (isDone) end(id)
    return { id, rows, isDone, spentMs: spentMs(), error: null }
  } catch (error) {
    end(id)
    return { id, rows: [], isDone: true, spentMs: spentMs(), error: described(error) }
  }
}

function begin({ id, start }: ScanStep): Scan {
  if (start === null) throw new Error('The scan has ended.')
  const { path, sql, parameters } = start
  const connection = connectionTo(path)
  const scan: Scan = {
    connection,
    rows: connection.statements.rows(sql, parameters, () => scan.limitMs),
    limitMs: 0,
  }
  scans.set(id, scan)
  return scan
}

function nextBatch({ rows: source }: Scan, spentMs: () => number): { rows: Row[]; isDone: boolean } {
  const rows: Row[] = []
  let bytes = 0
  while (rows.length < maxBatchRows && bytes < maxBatchBytes) {
    const next = source.next()
    if (next.done === true) return { rows, isDone: true }
    rows.push(next.value)
    bytes += sizeOf(next.value)
    if (rows.length % 16 === 0 && spentMs() > maxBatchMs) break
  }
  return { rows, isDone: false }
}

/** Estimates the bytes of a row, most of which is text. */
function sizeOf(row: Row): number {
  let size = 0
  for (const value of Object.values(row)) size += typeof value === 'string' ? value.length : 8
  return size
}

function end(id: number): void {
  const scan = scans.get(id)
  if (scan === undefined) return
  scans.delete(id)
  scan.rows.return()
  idle.push(scan.connection)
  if (idle.length > maxIdleConnections) idle.shift()?.database.close()
}

/** @returns a connection on which no scan is running: a second statement would share the older snapshot of the first */
function connectionTo(path: string): Connection {
  const index = idle.findLastIndex((each) => each.path === path)
  const [kept] = index < 0 ? [] : idle.splice(index, 1)
  if (kept !== undefined) return kept
  const database = openExisting(path, busyTimeoutMs)
  // `temp_store` is not set: a sort keeps as much in memory as the cache may take, and the rest in a temporary file.
  database.exec('PRAGMA cache_size = -4000')
  return { path, database, statements: new Statements(database) }
}

function closed({ id, path }: Extract<ScanRequest, { kind: 'close' }>): ScanReply {
  for (const [scanId, { connection }] of scans) if (connection.path === path) end(scanId)
  for (let index = idle.length - 1; index >= 0; index--) {
    if (idle[index]?.path === path) idle.splice(index, 1)[0]?.database.close()
  }
  return { id, rows: [], isDone: true, spentMs: 0, error: null }
}

function described(error: unknown): ScanError {
  const message = errorMessage(error)
  const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null
  return { message, isTimeout: error instanceof StatementTimedOut, errcode }
}
