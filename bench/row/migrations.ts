/** `tenantry migrate` over many databases: made from nothing, then found up to date. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { SecretBox } from '../../src/core/encryption/secret-box.ts'
import { encryptConnectionString } from '../../src/tenancy/connection-string.ts'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { makeFolder, removeFolder } from '../service.ts'
import { residentMb } from '../usage.ts'
import type { Finding } from './finding.ts'

/** Of the second half of the databases over the first. */
const targetGrowth = 0.1
/** On PostgreSQL each database takes a hundred times the disk. */
const shareOnPostgres = 0.04
const parallel = 8
const sampleMs = 20

const executable = resolve(import.meta.dirname, '../../bin/tenantry.js')
const row = 'migrations'

export async function measureMigrations(count: number): Promise<Finding[]> {
  const files = await onPlaces(count, (index) => `sqlite:tenant-${index}.db`)
  const server = await startPostgres()
  const fewer = Math.max(parallel, Math.ceil(count * shareOnPostgres))
  const address = (index: number) => Object.assign(new URL(server.url), { pathname: `/tenant_${index}` }).href
  const served = await onPlaces(fewer, address, server.url).finally(() => server.stop())
  const growth = files.first.endMb / files.first.middleMb - 1
  return [
    finding(`${count} SQLite files made and migrated`, perDatabase(files.first.ms, count), null, true, ''),
    finding(
      `memory grown over the second half of them`,
      `${(growth * 100).toFixed(0)} %`,
      `≤ ${targetGrowth * 100} %`,
      growth <= targetGrowth,
      `${files.first.middleMb.toFixed(0)} → ${files.first.endMb.toFixed(0)} MB`,
    ),
    finding(`${count} SQLite files found up to date`, perDatabase(files.second.ms, count), null, true, ''),
    finding(
      `${fewer} PostgreSQL databases made and migrated`,
      perDatabase(served.first.ms, fewer),
      null,
      true,
      `found up to date in ${perDatabase(served.second.ms, fewer)}`,
    ),
    finding(
      'most connections to all of them at a time',
      `${Math.max(served.first.connections, served.second.connections)}`,
      `≤ ${parallel}`,
      Math.max(served.first.connections, served.second.connections) <= parallel,
      `with --parallel ${parallel}`,
    ),
  ]
}

interface Migrated {
  ms: number
  /** Resident memory when half of the databases were done, and at the end. */
  middleMb: number
  endMb: number
  /** Most at a time. */
  connections: number
}

async function onPlaces(count: number, connectionString: (index: number) => string, serverUrl?: string) {
  const folder = makeFolder()
  const masterKey = randomBytes(32)
  const run = () => migrate(folder, masterKey, { count, serverUrl })
  try {
    await migrate(folder, masterKey, { count: 0, serverUrl: undefined })
    registerTenants(
      folder,
      masterKey,
      Array.from({ length: count }, (_, index) => connectionString(index)),
    )
    return { first: await run(), second: await run() }
  } finally {
    removeFolder(folder)
  }
}

/** Past the service, which would make each database at once. */
function registerTenants(folder: string, masterKey: Uint8Array, connectionStrings: string[]): void {
  const secretBox = new SecretBox(masterKey)
  const file = new DatabaseSync(join(folder, 'data/tenantry.db'))
  const insert = file.prepare(
    `INSERT INTO tenant (id, id_key, name, connection_string, is_active, created_at, version)
     VALUES (?1, ?1, ?1, ?2, 1, '2026-01-01T00:00:00.000Z', 1)`,
  )
  file.exec('BEGIN')
  for (const [index, text] of connectionStrings.entries())
    insert.run(`tenant-${index}`, encryptConnectionString(secretBox, text))
  file.exec('COMMIT')
  file.close()
}

interface Expected {
  count: number
  /** Where connections are counted. */
  serverUrl: string | undefined
}

async function migrate(folder: string, masterKey: Buffer, { count, serverUrl }: Expected): Promise<Migrated> {
  const counter = serverUrl === undefined ? null : new pg.Client({ connectionString: serverUrl })
  await counter?.connect()
  const begin = performance.now()
  const child = spawn(process.execPath, [executable, 'migrate', '--parallel', `${parallel}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], MASTER_KEY: masterKey.toString('base64') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const found: Migrated = { ms: 0, middleMb: 0, endMb: 0, connections: 0 }
  let done = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    done += text.match(/^tenant-\d+: /gm)?.length ?? 0
    if (done >= count) return
    found.endMb = residentMb(child.pid ?? 0)
    if (done < count / 2) found.middleMb = found.endMb
  })
  const sample = setInterval(() => {
    const text = "SELECT count(*) AS n FROM pg_stat_activity WHERE datname LIKE 'tenant_%'"
    counter?.query(text).then(
      ({ rows }) => {
        found.connections = Math.max(found.connections, Number(rows[0]?.n))
      },
      () => undefined, // the last answer may come after the end
    )
  }, sampleMs)
  const [code] = await once(child, 'close')
  clearInterval(sample)
  await counter?.end()
  if (code !== 0 || done !== count) throw new Error(`${done} of ${count} migrated, exit code ${code}.`)
  return { ...found, ms: performance.now() - begin }
}

function perDatabase(ms: number, count: number): string {
  return `${(ms / count).toFixed(1)} ms each`
}

function finding(
  work: string,
  figure: string,
  target: string | null,
  reached: boolean,
  detail: string,
): Finding {
  return { row, work, figure, target, reached, detail }
}
