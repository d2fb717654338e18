/** What a process uses, as the operating system counts it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10

/** Resident memory in MB of 10⁶ bytes. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') {
    return (Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) * 1024) / 1e6
  }
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kib) * 1024) / 1e6
}

/** CPU time of all threads so far; `NaN` where the system does not tell (proc(5)). */
export function cpuMs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

export async function peakWhile<T>(
  pid: number,
  everyMs: number,
  work: () => Promise<T>,
): Promise<{ value: T; peakMb: number }> {
  let peakMb = residentMb(pid)
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid))
  }, everyMs)
  try {
    const value = await work()
    return { value, peakMb: Math.max(peakMb, residentMb(pid)) }
  } finally {
    clearInterval(timer)
  }
}
