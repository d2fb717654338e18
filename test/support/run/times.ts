/** What each test file of a run took. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface Times {
  wallMs: number
  /** Processor time of the process itself, in all of its threads. */
  ownMs: number
  /** Processor time of the processes that it has started and that have ended; 0 where the system does not tell. */
  startedMs: number
}

const ticksPerSecond = 100
const shown = 40

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

/** The file of a run's folder that says that a test file has run to its end, and what that took. */
export function finishedPath(folder: string, index: number): string {
  return join(folder, `finished-${index}`)
}

/** @returns a table of the files that took the longest */
export function slowestFiles(folder: string, project: string, files: readonly string[]): string {
  const rows = files.flatMap((file, index) => {
    const path = finishedPath(folder, index)
    if (!existsSync(path)) return []
    const times: Times = JSON.parse(readFileSync(path, 'utf8'))
    return [{ ...times, file: relative(project, file) }]
  })
  rows.sort((one, other) => other.wallMs - one.wallMs)
  const lines = rows
    .slice(0, shown)
    .map(({ wallMs, ownMs, startedMs, file }) => `${columns([wallMs, ownMs, startedMs])}  ${file}`)
  const sums = (['wallMs', 'ownMs', 'startedMs'] as const).map((name) =>
    rows.reduce((sum, row) => sum + row[name], 0),
  )
  return [
    `\n== Slowest of ${rows.length} files: seconds, of which processor time here and in processes started`,
    ...lines,
    `${columns(sums)}  in all`,
    '',
  ].join('\n')
}

function columns(milliseconds: readonly number[]): string {
  return milliseconds.map((each) => (each / 1000).toFixed(1).padStart(7)).join('')
}

/** Processor time of ended children and theirs, from the 16th and 17th field of `stat` (proc(5)). */
function endedChildrenMs(): number {
  if (!existsSync('/proc/self/stat')) return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond
}
