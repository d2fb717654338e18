/** The messages between the main thread and a scan thread. */
import type { Row } from '../executor.ts'

export interface ScanStep {
  kind: 'step'
  id: number
  /** The statement of the scan, in its first step; `null` in the others. */
  start: { path: string; sql: string; parameters: readonly unknown[] } | null
  /** The processor time after which the statement is interrupted, in milliseconds. */
  limitMs: number
}

export type ScanRequest =
  | ScanStep
  /** Releases the connection of a scan. */
  | { kind: 'stop'; id: number }
  /** Closes the connections to a file. */
  | { kind: 'close'; id: number; path: string }

export interface ScanReply {
  id: number
  rows: Row[]
  isDone: boolean
  spentMs: number
  error: ScanError | null
}

/** Errors lose their classes between threads. */
export interface ScanError {
  message: string
  isTimeout: boolean
  /** The error code of SQLite. */
  errcode: number | null
}
