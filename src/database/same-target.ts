import { statSync } from 'node:fs'
import { postgresAddress, postgresName } from './postgres/address.ts'
import type { DatabaseTarget } from './target.ts'

/** Whether two locations are plainly one database. A name server or a proxy may still lead both to the same. */
export function isSameTarget(one: DatabaseTarget, other: DatabaseTarget): boolean {
  if (one.kind === 'postgres' && other.kind === 'postgres')
    return postgresAddress(one.url) === postgresAddress(other.url)
  if (one.kind === 'sqlite' && other.kind === 'sqlite')
    return one.path === other.path || isSameFile(one.path, other.path)
  return false
}

/** For people: the file, or the host and the database. */
export function targetName(target: DatabaseTarget): string {
  return target.kind === 'sqlite' ? target.path : postgresName(target.url)
}

/** The same for a file by whatever name, and another once it was replaced; empty where there is none to be seen. */
export function fileIdentity(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return '' // also where a folder on the way is closed to us: opening it says so
  }
}

/** By a link, or by a name that the file system takes for the same. */
function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one)
  return identity !== '' && identity === fileIdentity(other)
}
