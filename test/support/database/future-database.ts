/** PostgreSQL databases that do not exist yet, for connection strings of tenants. */
import { randomBytes } from 'node:crypto'
import { postgresServerUrl } from '../databases.ts'
import { inspect } from './inspect.ts'

export interface FutureDatabase {
  /** `postgres://…` */
  url: string
  /** `Host=…;Port=…` */
  pairs: string
  exists(): Promise<boolean>
  drop(): Promise<void>
}

/** @param address of a proxy in front of the server, if there is one */
export async function futureDatabase(address?: { hostname: string; port: string }): Promise<FutureDatabase> {
  const serverUrl = await postgresServerUrl()
  const name = `own_${randomBytes(6).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const { hostname, port } = address ?? url
  const reached = new URL(url)
  reached.hostname = hostname
  reached.port = port
  const pairs = [
    `Host=${hostname}`,
    `Port=${port}`,
    `Database=${name}`,
    `Username=${url.username}`,
    `Password=${url.password}`,
  ]
  return {
    url: reached.href,
    pairs: pairs.join(';'),
    exists: async () => {
      const rows = await inspect(serverUrl, `SELECT 1 FROM pg_database WHERE datname = '${name}'`)
      return rows.length > 0
    },
    drop: async () => {
      await inspect(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}
