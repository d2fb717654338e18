/** The maximum number of open files and sockets of this process. */
import { readFileSync } from 'node:fs'

/** @returns `null` without a limit, or where the system does not report it, as outside Linux */
export function descriptorLimit(): number | null {
  try {
    return parseDescriptorLimit(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return null // there is no such file
  }
}

/** @param limits the text of `/proc/<pid>/limits`: name, soft limit, hard limit, unit */
export function parseDescriptorLimit(limits: string): number | null {
  const [, soft] = /^Max open files\s+(\d+)\s/m.exec(limits) ?? []
  return soft === undefined ? null : Number(soft)
}
