/** How many files and sockets this process may have open at once. */
import { readFileSync } from 'node:fs'

/** @returns `null` where the system does not tell, as outside Linux, or sets no limit */
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
