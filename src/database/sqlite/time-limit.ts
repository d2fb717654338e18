/**
 * How long a statement on SQLite may take that judges each row by many conditions. It runs on the thread that serves
 * everybody, and nothing outside can interrupt it: so it asks by itself, row by row, whether it may go on.
 */
import type { DatabaseSync } from 'node:sqlite'
import { StatementTimedOut } from '../executor.ts'

/** The SQL function that a statement asks; always true. */
export const inTime = 'in_time'
const longestMs = 2000

/** @returns to be called when a statement begins @throws StatementTimedOut out of the statement */
export function limitTime(connection: DatabaseSync): () => void {
  let beganAtMs: number | null = null
  connection.function(inTime, { varargs: true }, () => {
    const now = performance.now()
    beganAtMs ??= now
    if (now - beganAtMs > longestMs) throw new StatementTimedOut('The statement took too long.')
    return 1
  })
  return () => {
    beganAtMs = null
  }
}
