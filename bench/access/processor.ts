/** The processor time of a service, with that of its PostgreSQL server. */
import { readdirSync, readFileSync } from 'node:fs'
import { cpuMs } from '../usage.ts'

const tickMs = 10

/** @param postgresUrl of a server on this machine; `null` without one @returns `NaN` where the system does not tell */
export function processorMs(pid: number, postgresUrl: string | null): number {
  if (postgresUrl === null || process.platform !== 'linux') return cpuMs(pid)
  return cpuMs(pid) + serverMs(new URL(postgresUrl).port)
}

/** Of the server, of its processes, and of those that have ended (proc(5)). */
function serverMs(port: string): number {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(name) ?? []) : []))
  const server = processes.find(({ command }) => command.includes(`\0-p\0${port}\0`))
  if (server === undefined) throw new Error(`No PostgreSQL server listens on ${port}.`)
  const others = processes.filter(({ parent }) => parent === server.pid)
  return server.ownMs + server.endedMs + others.reduce((sum, { ownMs }) => sum + ownMs, 0)
}

function statOf(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ms = (...places: number[]) => places.reduce((sum, place) => sum + Number(fields[place]) * tickMs, 0)
    return { pid, parent: fields[1], command, ownMs: ms(11, 12), endedMs: ms(13, 14) }
  } catch {
    return null // it has ended
  }
}
