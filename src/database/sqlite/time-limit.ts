/**
 * The time limit of a SQLite statement that visits many rows. Nothing can interrupt it from outside, so it checks its time
 * itself, row by row.
 */
import type { DatabaseSync } from 'node:sqlite'
import { StatementTimedOut } from '../executor.ts'

/** The SQL function of the check; always true. */
export const inTime = 'in_time'

/** @returns starts the limit of a statement, given its processor time */
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
    // Time that the thread does not run on the processor is not counted.
    const leftMs = limitMs - (threadMs() - beganAtMs)
    if (leftMs <= 0) throw new StatementTimedOut('The statement took too long.')
    checkAtMs = now + leftMs
    return 1
  })
  return (maxMs) => {
    limitMs = maxMs
    beganAtMs = null
  }
}

/** Processor time of this thread. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
