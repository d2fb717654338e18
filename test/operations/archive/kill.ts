/** Exports and imports between two installations that are killed and run again; services run or not. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../../src/core/settings/config.ts'
import { createService } from '../../../src/service/service.ts'
import { Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import {
  createPostgresDatabase,
  type DatabaseName,
  migratedFile,
  migratedTemplate,
} from '../../support/databases.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { runsOf } from '../../support/run/extent.ts'
import { person, usualOptions } from '../../support/service.ts'

export const tenantId = 'Acme'
export const exportPhases = ['copying', 'copied', 'written'] as const
export const importPhases = ['verified', 'copying', 'copied', 'registered'] as const

const program = [process.execPath, join(import.meta.dirname, 'killed.ts')]

export class KillScene implements AsyncDisposable {
  readonly source: Workplace
  readonly target: Workplace
  readonly targetUrl: string
  readonly #settings: Sides<Record<string, string>>
  readonly #tidy = new AsyncDisposableStack()

  private constructor(settings: Sides<Record<string, string>>) {
    this.#settings = settings
    this.source = this.#tidy.use(new Workplace(settings.source))
    this.target = this.#tidy.use(new Workplace(settings.target))
    const file = `sqlite:${join(this.target.folder, 'data/tenantry.db')}`
    this.targetUrl = settings.target['DATABASE_URL'] ?? file
  }

  /** With a tenant with far more products than a page has, in the source. */
  static async create(database: DatabaseName): Promise<KillScene> {
    const from = newMasterKey()
    const postgres = database === 'postgres' ? await createPostgresDatabase(migratedTemplate) : null
    const both = { DATA_DIR: 'data', LOG_LEVEL: 'warn' }
    const scene = new KillScene({
      source: { ...both, MASTER_KEY: from },
      target: {
        ...both,
        MASTER_KEY: newMasterKey(),
        PREVIOUS_MASTER_KEYS: from,
        ...(postgres && { DATABASE_URL: postgres.url }),
      },
    })
    scene.#tidy.defer(async () => postgres?.drop())
    await scene.#fill()
    return scene
  }

  /** Serves one side in this process, to the end of the scene at the latest. */
  async serve(side: keyof Sides<unknown>): Promise<ServedSide> {
    const config = loadConfig({ ...this.#settings[side], PORT: '0' }, this[side].folder)
    const file = join(config.dataDir, 'tenantry.db')
    mkdirSync(config.dataDir, { recursive: true })
    if (migratedFile !== undefined && config.databaseUrl === `sqlite:${file}` && !existsSync(file))
      copyFileSync(migratedFile, file)
    const service = await createService(config, usualOptions)
    const anonymous = new Client(await service.start())
    this.#tidy.defer(() => service.stop())
    await anonymous.post('/api/init/first-admin', person('admin'))
    const { userName, password } = person('admin')
    const { body } = await anonymous.post('/api/auth/login', { userName, password })
    return { anonymous, host: anonymous.withToken(body.accessToken), stop: service.stop }
  }

  /** Where the archive is. */
  get archive(): string {
    return join(this.source.folder, 'acme.db')
  }

  get drafts(): string[] {
    return readdirSync(this.source.folder).filter((name) => name.includes('.incomplete-'))
  }

  /** @param phase at which it is killed */
  async killExport(phase: string): Promise<void> {
    const words = ['export', tenantId.toLowerCase(), this.archive, phase]
    const { signal, stderr } = await this.source.runProcess(words, { command: program })
    assert.equal(signal, 'SIGKILL', stderr)
  }

  async killImport(phase: string, to = 'shared'): Promise<void> {
    const { signal, stderr } = await this.target.runProcess(['import', this.archive, to, phase], {
      command: program,
    })
    assert.equal(signal, 'SIGKILL', stderr)
  }

  async export(): Promise<void> {
    const ended = await this.source.run(['tenant', 'export', tenantId, '--to', this.archive])
    assert.equal(ended.code, 0, ended.stderr)
  }

  /** @returns its output */
  async import(to = 'shared', ...more: string[]): Promise<string> {
    const words = ['tenant', 'import', this.archive, ...more]
    const { code, stdout, stderr } = await (to === 'shared'
      ? this.target.run(words)
      : this.target.run([...words, '--to', '-'], { input: `${to}\n` }))
    assert.equal(code, 0, stderr)
    return stdout
  }

  /** Whether there is a tenant, and how many products of it are in the shared database. */
  async stored(): Promise<{ tenants: number; products: number }> {
    const count = async (sql: string) => Number((await inspect(this.targetUrl, sql))[0]?.['n'])
    return {
      tenants: await count(`SELECT count(*) AS n FROM tenant WHERE id = '${tenantId}'`),
      products: await count(`SELECT count(*) AS n FROM product WHERE tenant_id = '${tenantId}'`),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tidy.disposeAsync()
  }

  async #fill(): Promise<void> {
    const { host, stop } = await this.serve('source')
    const made = await host.post('/api/tenants', { id: tenantId, name: 'Acme', admin: person('boss') })
    assert.equal(made.status, 201, made.text)
    await stop()
    // By no way that takes long.
    const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${products})
      INSERT INTO product (tenant_id, id, name, search_name, price, is_active, created_at, updated_at, version)
      SELECT '${tenantId}', printf('0198c6f0-3d5a-7c31-9a57-%012x', i), 'P' || i, 'p' || i, i, 1,
        '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1 FROM n`
    await inspect(`sqlite:${join(this.source.folder, 'data/tenantry.db')}`, sql)
  }
}

export const products = runsOf(1200, 3000)

interface ServedSide {
  anonymous: Client
  /** An administrator of the host tenant. */
  host: Client
  stop(): Promise<void>
}

interface Sides<Value> {
  source: Value
  target: Value
}
