/** Locations of databases: how they are read, named in messages, and compared. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { driverConfig, hostUrls } from './postgres/connection-url.ts'

/** The location of a database. Opening creates a SQLite file that does not exist. */
export type DatabaseTarget = { kind: 'sqlite'; path: string } | PostgresTarget

export interface PostgresTarget {
  kind: 'postgres'
  url: string
  /** The address of the server itself, if `url` leads through a pooler. */
  directUrl?: string
}

/** Tenants with the same location share a database. The location may contain a password. */
export function locationOf(target: DatabaseTarget): string {
  return target.kind === 'sqlite' ? target.path : target.url
}

/** Whether two locations are the same database. Different names may still lead to one through DNS or a proxy. */
export function isSameTarget(one: DatabaseTarget, other: DatabaseTarget): boolean {
  if (one.kind === 'postgres' && other.kind === 'postgres') {
    const addresses = new Set(addressesOf(one))
    return addressesOf(other).some((address) => addresses.has(address))
  }
  if (one.kind === 'sqlite' && other.kind === 'sqlite')
    return one.path === other.path || isSameFile(one.path, other.path)
  return false
}

/** @returns the same database without a pooler, for work that needs a session of its own */
export function directTarget(target: DatabaseTarget): DatabaseTarget {
  if (target.kind === 'sqlite' || target.directUrl === undefined) return target
  return { kind: 'postgres', url: target.directUrl }
}

/** @returns the name for messages: the file, or the hosts and the database */
export function targetName(target: DatabaseTarget): string {
  return target.kind === 'sqlite' ? target.path : postgresName(target.url)
}

/**
 * @returns a text that is equal for all names of a file and differs once it was replaced; empty for an unreadable
 *   file
 */
export function fileIdentity(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return '' // also without the right to a folder: opening the file reports that
  }
}

function addressesOf({ url, directUrl }: PostgresTarget): string[] {
  return [url, ...(directUrl === undefined ? [] : [directUrl])].map(postgresAddress)
}

/** Whether two paths lead to one file, by a link or by a name that the file system treats as equal. */
function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one)
  return identity !== '' && identity === fileIdentity(other)
}

const thisMachine = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

/** Hosts, ports and database as the driver reads them, without user, password and parameters. */
export function postgresAddress(url: string): string {
  const all = hostUrls(url).map((each) => {
    const { host, port, database } = driverConfig(each)
    const caseFolded = host.toLowerCase().replace(/\.$/, '')
    return [thisMachine.test(caseFolded) ? 'localhost' : caseFolded, port, database]
  })
  return JSON.stringify(all.length === 1 ? all[0] : all)
}

/** @returns the name for messages: `host:port/database` */
function postgresName(url: string): string {
  const all = hostUrls(url).map(driverConfig)
  return `${all.map(({ host, port }) => `${host}:${port}`).join(',')}/${all[0]?.database}`
}

export function databaseName(url: string): string {
  return driverConfig(hostUrls(url)[0] ?? url).database
}

/** @param url the setting DATABASE_URL: `sqlite:<file>` or `postgres://…` @param directUrl DATABASE_DIRECT_URL */
export function parseDatabaseUrl(url: string, directUrl: string | null = null): DatabaseTarget {
  if (url.startsWith('sqlite:')) return { kind: 'sqlite', path: resolve(url.slice('sqlite:'.length)) }
  return { kind: 'postgres', url, ...(directUrl !== null && { directUrl }) }
}
