/** A tenant is moved to a database of its own and back while it is written: how long until a write is done? */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { expectJson, type Send } from '../client.ts'
import {
  initialize,
  makeFolder,
  person,
  type RunningService,
  removeFolder,
  signIn,
  startService,
} from '../service.ts'
import type { Finding } from './finding.ts'

const targetMs = 1000
const writers = 4
const betweenWritesMs = 5
const tenant = 'moved'
const executable = resolve(import.meta.dirname, '../../bin/tenantry.js')

interface Place {
  settings: Record<string, string>
  /** Where the tenant goes. */
  to: string
  seed(service: RunningService, statement: string): Promise<void>
}

export async function measureMove(products: number): Promise<Finding[]> {
  const onFile = await measureAt('SQLite', products, {
    settings: {},
    to: 'sqlite:moved.db',
    seed: async ({ databaseFile }, statement) => {
      const database = new DatabaseSync(databaseFile, { timeout: 5000 })
      database.exec(statement)
      database.close()
    },
  })
  const server = await startPostgres()
  try {
    const url = server.url.replace(/\/[^/]*$/, '/bench_move')
    const onServer = await measureAt('PostgreSQL', products, {
      settings: { DATABASE_URL: url },
      to: server.url.replace(/\/[^/]*$/, '/bench_moved'),
      seed: async (_service, statement) => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        await client.query(statement)
        await client.end()
      },
    })
    return [...onFile, ...onServer]
  } finally {
    await server.stop()
  }
}

async function measureAt(name: string, products: number, { settings, to, seed }: Place): Promise<Finding[]> {
  const folder = makeFolder()
  const all = { ...settings, MASTER_KEY: randomBytes(32).toString('base64') }
  const service = await startService(all, folder)
  const { send: host } = await initialize(service.url)
  await expectJson(host('POST', '/api/tenants', { id: tenant, name: tenant, admin: person('boss') }), 201)
  const { send } = await signIn(service.url, 'boss', { 'x-tenant-id': tenant })
  await seed(service, manyProducts(name, products))
  const findings: Finding[] = []
  for (const place of [to, 'shared']) {
    const way = `${products} products move ${place === to ? 'to their own' : 'back to the shared'} ${name}`
    findings.push(await judge(way, new Writers(send), () => moveTenant(folder, all, place)))
  }
  await service.stop()
  removeFolder(folder)
  return findings
}

/** A write that is refused at once has not been made: its repetitions count. */
async function judge(way: string, writing: Writers, move: () => Promise<void>): Promise<Finding> {
  await sleep(1000)
  const begin = performance.now()
  await move()
  const seconds = (performance.now() - begin) / 1000
  await sleep(500)
  await writing.stop()
  const { written, refused, longestMs, longestDoneMs } = writing
  const waits = `${refused} refused for now, the longest request ${longestMs.toFixed(0)} ms`
  return {
    row: 'move',
    work: `longest time until a write was done while ${way}`,
    figure: `${longestDoneMs.toFixed(0)} ms`,
    target: `≤ ${targetMs} ms`,
    reached: longestDoneMs <= targetMs,
    detail: `${seconds.toFixed(1)} s in all; ${written} writes meanwhile, ${waits}`,
  }
}

function manyProducts(name: string, count: number): string {
  const moment = '2026-01-01T00:00:00.000Z'
  const hex = `'01990000-0000-7000-8000-' || substr('000000000000' || i, length('' || i) + 1, 12)`
  return `INSERT INTO product
      (tenant_id, id, name, search_name, description, price, is_active, created_at, updated_at, version)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT '${tenant}', ${name === 'SQLite' ? hex : `CAST(${hex} AS uuid)`}, 'Walnut desk ' || i, 'walnut desk ' || i,
      'A desk of solid walnut with drawers on both sides.', i * 0.25, true, '${moment}', '${moment}', 1 FROM n`
}

class Writers {
  written = 0
  refused = 0
  /** Of one request, whatever was answered. */
  longestMs = 0
  /** With the repetitions of those that were refused for now. */
  longestDoneMs = 0
  readonly #send: Send
  readonly #running: Promise<void>[]
  #isStopped = false

  constructor(send: Send) {
    this.#send = send
    this.#running = Array.from({ length: writers }, () => this.#write())
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running)
  }

  async #write(): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now()
      while ((await this.#ask()) !== 201) await sleep(betweenWritesMs)
      this.longestDoneMs = Math.max(this.longestDoneMs, performance.now() - began)
      this.written++
      await sleep(betweenWritesMs)
    }
  }

  async #ask(): Promise<number> {
    const began = performance.now()
    const { status, text } = await this.#send('POST', '/api/products', { name: 'Meanwhile', price: 1 })
    this.longestMs = Math.max(this.longestMs, performance.now() - began)
    if (status === 503) this.refused++
    else if (status !== 201) throw new Error(`${status}: ${text}`)
    return status
  }
}

async function moveTenant(folder: string, settings: Record<string, string>, to: string): Promise<void> {
  const words = ['tenant', 'move', tenant, '--to', to, '--remove-after', '0']
  const command = spawn(process.execPath, [executable, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(command, 'close')
  if (code !== 0) throw new Error(`The move ended with ${code}.`)
}
