/** Exports and imports between two installations that are killed and run again; services run or not. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '../../support/database/inspect.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { person } from '../../support/service.ts'

export const tenantId = 'Acme'
export const exportPhases = ['copying', 'copied', 'written'] as const
export const importPhases = ['verified', 'copying', 'copied', 'registered'] as const

const program = [process.execPath, join(import.meta.dirname, 'killed.ts')]

export class KillScene implements AsyncDisposable {
  readonly source: Workplace
  readonly target: Workplace
  readonly targetUrl: string
  readonly #drop: () => Promise<void>

  private constructor(places: [Workplace, Workplace], targetUrl: string, drop: () => Promise<void>) {
    ;[this.source, this.target] = places
    this.targetUrl = targetUrl
    this.#drop = drop
  }

  /** With a tenant of some hundred products in the source. */
  static async create(database: DatabaseName): Promise<KillScene> {
    const from = newMasterKey()
    const postgres = database === 'postgres' ? await createPostgresDatabase() : null
    const source = new Workplace({ MASTER_KEY: from, DATA_DIR: 'data', LOG_LEVEL: 'warn' })
    const target = new Workplace({
      ...{ MASTER_KEY: newMasterKey(), PREVIOUS_MASTER_KEYS: from, DATA_DIR: 'data', LOG_LEVEL: 'warn' },
      ...(postgres && { DATABASE_URL: postgres.url }),
    })
    const url = postgres?.url ?? `sqlite:${join(target.folder, 'data/tenantry.db')}`
    const scene = new KillScene([source, target], url, async () => postgres?.drop())
    await scene.#fill()
    return scene
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
    await this.source[Symbol.asyncDispose]()
    await this.target[Symbol.asyncDispose]()
    await this.#drop()
  }

  async #fill(): Promise<void> {
    const service = await this.source.serve()
    const { authorization } = await createAdmin(service)
    const members = { id: tenantId, name: 'Acme', admin: person('boss') }
    const made = await service.anonymous.post('/api/tenants', members, { authorization })
    assert.equal(made.status, 201, made.text)
    await service.stop()
    // Far more than a page, and by no way that takes long.
    const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${products})
      INSERT INTO product (tenant_id, id, name, search_name, price, is_active, created_at, updated_at, version)
      SELECT '${tenantId}', printf('0198c6f0-3d5a-7c31-9a57-%012x', i), 'P' || i, 'p' || i, i, 1,
        '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1 FROM n`
    await inspect(`sqlite:${join(this.source.folder, 'data/tenantry.db')}`, sql)
  }
}

export const products = 3000
