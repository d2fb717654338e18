/** Tenants' own databases, as somebody beside the service treats them: files, or databases of a server. */
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '../support/database/inspect.ts'
import { queryServer } from '../support/database/query-server.ts'
import { type DatabaseName, postgresServerUrl } from '../support/databases.ts'
import { uniqueName } from '../support/service.ts'

export interface OwnDatabases {
  connectionString(name: string): string
  exists(name: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** To be called while no service has them open, like `move`. */
  copy(name: string, to: string): Promise<void>
  move(name: string, to: string): Promise<void>
  /** Runs a statement. */
  ask(name: string, sql: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

export async function ownDatabases(database: DatabaseName, dataDir: string): Promise<OwnDatabases> {
  return database === 'sqlite' ? onFiles(join(dataDir, 'tenants')) : onServer(await postgresServerUrl())
}

function onFiles(folder: string): OwnDatabases {
  const pathOf = (name: string) => join(folder, `${name}.db`)
  const each = (name: string, work: (ending: string) => void): void => {
    for (const ending of ['', '-wal', '-shm']) if (existsSync(`${pathOf(name)}${ending}`)) work(ending)
  }
  const remove = async (name: string) => each(name, (ending) => rmSync(`${pathOf(name)}${ending}`))
  return {
    connectionString: (name) => `sqlite:${name}.db`,
    exists: async (name) => existsSync(pathOf(name)),
    remove,
    copy: async (name, to) =>
      each(name, (ending) => cpSync(`${pathOf(name)}${ending}`, `${pathOf(to)}${ending}`)),
    move: async (name, to) => {
      await remove(to)
      each(name, (ending) => renameSync(`${pathOf(name)}${ending}`, `${pathOf(to)}${ending}`))
    },
    ask: (name, sql) => inspect(`sqlite:${pathOf(name)}`, sql),
    drop: async () => undefined,
  }
}

function onServer(serverUrl: string): OwnDatabases {
  const prefix = uniqueName('lost').replaceAll('-', '_')
  const made = new Set<string>()
  const nameOf = (name: string): string => {
    made.add(name)
    return `${prefix}_${name}`
  }
  const urlOf = (name: string): string => {
    const url = new URL(serverUrl)
    url.pathname = `/${nameOf(name)}`
    return url.href
  }
  const run = async (sql: string) => void (await queryServer(serverUrl, sql))
  const remove = (name: string) => run(`DROP DATABASE IF EXISTS ${nameOf(name)} WITH (FORCE)`)
  return {
    connectionString: urlOf,
    exists: async (name) => {
      const sql = `SELECT 1 AS found FROM pg_database WHERE datname = '${nameOf(name)}'`
      return (await queryServer(serverUrl, sql)).length > 0
    },
    remove,
    copy: (name, to) => run(`CREATE DATABASE ${nameOf(to)} TEMPLATE ${nameOf(name)}`),
    move: async (name, to) => {
      await remove(to)
      await run(`ALTER DATABASE ${nameOf(name)} RENAME TO ${nameOf(to)}`)
    },
    ask: (name, sql) => inspect(urlOf(name), sql),
    drop: async () => {
      for (const name of made) await remove(name)
    },
  }
}
