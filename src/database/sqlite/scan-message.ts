/** What a scan's thread is told, and what it answers. */
import type { Row } from '../executor.ts'

export interface ScanStep {
  kind: 'step'
  id: number
  /** With the first step. */
  start: { path: string; sql: string; parameters: readonly unknown[] } | null
  /** Processor time until the statement is given up. */
  limitMs: number
}

export type ScanRequest =
  | ScanStep
  /** Gives the connection of a scan back. */
  | { kind: 'stop'; id: number }
  /** Closes the connections to a file that no scan reads any more. */
  | { kind: 'close'; id: number; path: string }

export interface ScanReply {
  id: number
  rows: Row[]
  isDone: boolean
  spentMs: number
  error: ScanError | null
}

/** Errors lose their classes on the way between threads. */
export interface ScanError {
  message: string
  isTimeout: boolean
  /** Of SQLite. */
  errcode: number | null
}
