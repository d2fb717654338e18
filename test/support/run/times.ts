/** What a test file, and a process, took. */
import { existsSync, readFileSync } from 'node:fs'

export interface Times {
  wallMs: number
  /** Processor time of the process itself, in all of its threads. */
  ownMs: number
  /** Processor time of the processes that it has started and that have ended; 0 where the system does not tell. */
  startedMs: number
}

const ticksPerSecond = 100

export function timesNow(): Times {
  const { user, system } = process.cpuUsage()
  return { wallMs: performance.now(), ownMs: (user + system) / 1000, startedMs: endedChildrenMs() }
}

export function timesSince(begin: Times): Times {
  const end = timesNow()
  return {
    wallMs: end.wallMs - begin.wallMs,
    ownMs: end.ownMs - begin.ownMs,
    startedMs: end.startedMs - begin.startedMs,
  }
}

/** Of the process and of those that it has started. */
export function processorMs({ ownMs, startedMs }: Times): number {
  return ownMs + startedMs
}

/** Processor time of ended children and theirs, from the 16th and 17th field of `stat` (proc(5)). */
function endedChildrenMs(): number {
  if (!existsSync('/proc/self/stat')) return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond
}
