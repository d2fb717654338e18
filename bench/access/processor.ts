/** The processor time of a service, with that of its PostgreSQL server. */
import { readdirSync, readFileSync } from 'node:fs'

const nsPerMs = 1e6

/** @param postgresUrl of a server on this machine; `null` without one @returns `NaN` where the system does not tell */
export function processorMs(pid: number, postgresUrl: string | null): number {
  if (process.platform !== 'linux') return Number.NaN
  return ofProcess(`${pid}`) + (postgresUrl === null ? 0 : ofServer(new URL(postgresUrl).port))
}

/** Of the server and of its processes. */
function ofServer(port: string): number {
  const processes = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (processOf(name) ?? []) : [],
  )
  const server = processes.find(({ command }) => command.includes(`\0-p\0${port}\0`))
  if (server === undefined) throw new Error(`No PostgreSQL server listens on ${port}.`)
  const own = processes.filter(({ pid, parent }) => pid === server.pid || parent === server.pid)
  return own.reduce((sum, { pid }) => sum + ofProcess(pid), 0)
}

function processOf(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid, parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }
  } catch {
    return null // it has ended
  }
}

/** Of all threads. The times of `stat` are counted in hundredths of a second, which is too coarse for a short round. */
function ofProcess(pid: string): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + ofThread(`/proc/${pid}/task/${thread}`), 0)
  } catch {
    return 0 // it has ended
  }
}

function ofThread(folder: string): number {
  const [runningNs = '0'] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ')
  return Number(runningNs) / nsPerMs
}
