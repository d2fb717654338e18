/**
 * The time limit of a SQLite statement that visits many rows. Nothing can interrupt the statement, so it checks its
 * time itself, row by row.
 */
import type { DatabaseSync } from 'node:sqlite'
import { StatementTimedOut } from '../executor.ts'

/** The SQL function with which a statement checks its time. It throws when the time is over, and is true until then. */
export const inTime = 'in_time'

/** Defines the function. @returns a function that sets the processor time of the next statement */
export function limitTime(connection: DatabaseSync): (limitMs: number) => void {
  let limitMs = 0
  let beganAtMs: number | null = null
  let checkAtMs = 0
  connection.function(inTime, { varargs: true }, () => {
    const now = performance.now()
    if (beganAtMs === null) {
      beganAtMs = threadCpuMs()
      checkAtMs = now + limitMs
    }
    if (now < checkAtMs) return 1
    // Only processor time counts, because the clock also counts the pauses of the process.
    const leftMs = limitMs - (threadCpuMs() - beganAtMs)
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
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
