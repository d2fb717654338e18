/**
 * How long a statement on SQLite may take that judges many rows. Nothing outside can interrupt it, so it asks by itself,
 * row by row, whether it may go on.
 */
import type { DatabaseSync } from 'node:sqlite'
import { StatementTimedOut } from '../executor.ts'

/** The SQL function that a statement asks; always true. */
export const inTime = 'in_time'

/** @returns to be called when a statement begins, with the processor time that it may take */
export function limitTime(connection: DatabaseSync): (limitMs: number) => void {
  let limitMs = 0
  let beganAtMs: number | null = null
  let checkAtMs = 0
  connection.function(inTime, { varargs: true }, () => {
    const now = performance.now()
    if (beganAtMs === null) {
      beganAtMs = threadMs()
      checkAtMs = now + limitMs
    }
    if (now < checkAtMs) return 1
    // A machine that is busy with other things takes no time away from the statement.
    const leftMs = limitMs - (threadMs() - beganAtMs)
    if (leftMs <= 0) throw new StatementTimedOut('The statement took too long.')
    checkAtMs = now + leftMs
    return 1
  })
  return (mostMs) => {
    limitMs = mostMs
    beganAtMs = null
  }
}

/** Processor time of this thread. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
