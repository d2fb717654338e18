/** The service and its floor side by side, on the same database engine with the same rows. */
import pg from 'pg'
import type { Load } from '../load/load.ts'
import { type Server, startServer } from '../process.ts'
import { initialize, makeFolder, removeFolder, startService } from '../service.ts'
import type { Finding } from './finding.ts'
import { measureThroughput, prepare, type Work } from './throughput.ts'
import type { Rounds } from './turns.ts'

export async function compareOnSqlite(
  load: Load,
  works: readonly Work[],
  rounds: Rounds,
): Promise<Finding[]> {
  return compare(load, works, rounds, () => startFloor('sqlite', {}), {})
}

/** @param url leads to a PostgreSQL server, as a user that may create databases */
export async function compareOnPostgres(
  load: Load,
  works: readonly Work[],
  rounds: Rounds,
  url: string,
): Promise<Finding[]> {
  const [floor, ours] = [databaseAt(url, 'floor'), databaseAt(url, 'ours')]
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE DATABASE floor')
  await client.end()
  return compare(load, works, rounds, () => startFloor('postgres', { DATABASE_URL: floor }), {
    DATABASE_URL: ours,
  })
}

async function compare(
  load: Load,
  works: readonly Work[],
  rounds: Rounds,
  start: () => Promise<{ server: Server; folder: string }>,
  settings: Record<string, string>,
): Promise<Finding[]> {
  const { server, folder } = await start()
  const service = await startService(settings)
  const { token } = await initialize(service.url)
  const contenders = { floor: await prepare(server, token), ours: await prepare(service, token) }
  const findings: Finding[] = []
  for (const work of works) findings.push(await measureThroughput(load, work, contenders, rounds))
  for (const each of [server, service]) await each.stop()
  for (const each of [folder, service.folder]) removeFolder(each)
  return findings
}

async function startFloor(kind: 'sqlite' | 'postgres', settings: Record<string, string>) {
  const folder = makeFolder()
  const command = [`bench/floor/${kind}.ts`]
  return { server: await startServer({ command, folder, settings, readyPath: '/ready' }), folder }
}

export function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
