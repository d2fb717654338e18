/** A service with rows with a rule and rows without one, and callers of each reach. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expectJson } from '../client.ts'
import { initialize, makeFolder, type RunningService, removeFolder, startService } from '../service.ts'

export const reaches = [
  { name: 'few', share: 0.0002, percent: '0.02 %' },
  { name: 'some', share: 0.015, percent: '1.5 %' },
  { name: 'every', share: 1, percent: '100 %' },
] as const

export const counts = [1, 32] as const

export type Reach = (typeof reaches)[number]

export interface Stage {
  service: RunningService
  admin: string
  /** By the member that its rule compares. */
  keys: ReadonlyMap<string, string>
  stop(): Promise<void>
}

const permissions = ['guarded', 'open', 'follower', 'free'].flatMap((name) => [
  `${name}:read`,
  `${name}:write`,
])
const project = resolve(import.meta.dirname, '../..')
const application = pathToFileURL(join(project, 'bench/access/application.ts')).href
/** A column for each reach and number of values. */
const members = reaches.flatMap(({ name, share }) =>
  counts.map((count) => ({ member: memberOf(name, count), share, count })),
)

/** @param databaseUrl `null` for a file of SQLite in the folder of the service */
export async function startStage(rows: number, databaseUrl: string | null): Promise<Stage> {
  const folder = makeFolder()
  writeFileSync(join(folder, 'tenantry.config.ts'), `export { default } from '${application}'\n`)
  const words = [join(project, 'bin/tenantry.js'), 'migrate', 'diff']
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`No migrations in ${folder}: ${stderr}`)
  const settings =
    databaseUrl === null
      ? {}
      : {
          DATABASE_URL: databaseUrl,
          MASTER_KEY: randomBytes(32).toString('base64'),
          BASE_URL: 'http://bench.test',
        }
  const first = await startService(settings, folder)
  await first.stop()
  if (databaseUrl === null) fillSqlite(first.databaseFile, rows)
  else await fillPostgres(databaseUrl, rows)
  const service = await startService(settings, folder)
  const { token: admin, send } = await initialize(service.url)
  const keys = new Map<string, string>()
  for (const { member, count } of members) {
    const body = { name: member, permissions, attributes: { [member]: valuesOf(count) } }
    const { key } = await expectJson<{ key: string }>(send('POST', '/api/api-keys', body), 201)
    keys.set(member, key)
  }
  return {
    service,
    admin,
    keys,
    stop: async () => {
      await service.stop()
      removeFolder(folder)
    },
  }
}

export function memberOf(reach: string, count: number): string {
  return `${reach}${count}`
}

export function valuesOf(count: number): string[] {
  return Array.from({ length: count }, (_each, index) => `${count}-${index}`)
}

export function idOf(index: number): string {
  return `01990000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`
}

/** Rows in reach are spread evenly. @returns the index of one */
export function reachedIndex({ share }: Reach, place: number): number {
  return place * Math.round(1 / share)
}

/** The rows in reach take turns with the values of the caller: callers with one value and with many reach the same. */
function columnsOf(remainder: (index: string, by: number) => string): string[] {
  return members.map(({ share, count }) => {
    const every = Math.round(1 / share)
    return `CASE WHEN ${remainder('i', every)} <> 0 THEN 'none' ELSE '${count}-' || (${remainder(`(i / ${every})`, count)}) END`
  })
}

const names = ['id', 'title', ...members.map(({ member }) => member), 'created_at', 'updated_at', 'version']

function statements(from: string, id: string, remainder: (index: string, by: number) => string): string[] {
  const moment = "'2026-01-01T00:00:00.000Z'"
  const values = [id, "'Row ' || i", ...columnsOf(remainder), moment, moment, '1']
  const follow = (table: string, column: string) =>
    `INSERT INTO ${table} (tenant_id, id, title, ${column}, created_at, updated_at, version)
     SELECT 'default', ${id}, 'Row ' || i, ${id}, ${moment}, ${moment}, 1 ${from}`
  return [
    ...['guarded', 'open'].map(
      (table) =>
        `INSERT INTO ${table} (tenant_id, ${names.join()}) SELECT 'default', ${values.join()} ${from}`,
    ),
    follow('follower', 'guarded_id'),
    follow('free', 'open_id'),
  ]
}

function fillSqlite(file: string, rows: number): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF')
  const from = `FROM (WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1}) SELECT i FROM n)`
  const id = "printf('01990000-0000-7000-8000-%012x', i)"
  for (const statement of statements(from, id, (index, by) => `${index} % ${by}`)) database.exec(statement)
  database.close()
}

async function fillPostgres(url: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const from = `FROM generate_series(0, ${rows - 1}) AS n (i)`
  const id = "('01990000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid"
  for (const statement of statements(from, id, (index, by) => `${index} % ${by}`))
    await client.query(statement)
  await client.query('VACUUM ANALYZE')
  await client.end()
}
