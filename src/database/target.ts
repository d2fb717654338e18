import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'

/** The location of a database. Opening creates a SQLite file that does not exist. */
export type DatabaseTarget = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }

/** Tenants with the same location share a database. The location may contain a password. */
export function locationOf(target: DatabaseTarget): string {
  return target.kind === 'sqlite' ? target.path : target.url
}

/** Whether two locations are the same database. Different names may still lead to one through DNS or a proxy. */
export function isSameTarget(one: DatabaseTarget, other: DatabaseTarget): boolean {
  if (one.kind === 'postgres' && other.kind === 'postgres')
    return postgresAddress(one.url) === postgresAddress(other.url)
  if (one.kind === 'sqlite' && other.kind === 'sqlite')
    return one.path === other.path || isSameFile(one.path, other.path)
  return false
}

/** For messages: the file, or the host and the database. */
export function targetName(target: DatabaseTarget): string {
  return target.kind === 'sqlite' ? target.path : postgresName(target.url)
}

/** Equal for all names of a file, and different after the file was replaced; empty for a file that cannot be seen. */
export function fileIdentity(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return '' // also without the right to a folder: opening the file reports that
  }
}

/** Through a link, or a name that the file system treats as equal. */
function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one)
  return identity !== '' && identity === fileIdentity(other)
}

const thisMachine = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

/** Host, port and database as the driver reads them, without user, password and parameters. */
export function postgresAddress(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url })
  const folded = host.toLowerCase().replace(/\.$/, '')
  return JSON.stringify([thisMachine.test(folded) ? 'localhost' : folded, port, database])
}

/** For messages: `host:port/database`. */
export function postgresName(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url })
  return `${host}:${port}/${database}`
}

/** @param url the setting DATABASE_URL: `sqlite:<file>` or `postgres://…` */
export function parseDatabaseUrl(url: string): DatabaseTarget {
  return url.startsWith('sqlite:')
    ? { kind: 'sqlite', path: resolve(url.slice('sqlite:'.length)) }
    : { kind: 'postgres', url }
}
