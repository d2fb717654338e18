/** A data folder with a catalogue and the files of two tenants, and folders to restore into. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { backUpAll, restoreAll } from '../../src/cli/backup.ts'
import type { Context } from '../../src/core/context.ts'
import { type Config, loadConfig } from '../../src/core/settings/config.ts'
import { createService } from '../../src/service/service.ts'
import { createTenant } from '../../src/tenancy/tenant.ts'
import { migratedFile } from '../support/databases.ts'
import { newMasterKey } from '../support/master-key.ts'

export const masterKey = newMasterKey()
const log = pino({ level: 'silent' })

const tenants: [id: string, connectionString: string][] = [
  ['alpha', 'sqlite:alpha.db'],
  ['beta', 'sqlite:beta.db'],
  ['gone', 'postgres://u:hidden@127.0.0.1:1/gone'],
  ['twin', 'sqlite:alpha.db'],
]

export class BackupScene implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenantry-backup-'))
  readonly #settings: Record<string, string>

  /** @param databaseUrl of the catalogue, where it is not in the data folder */
  constructor(databaseUrl?: string) {
    this.#settings = { MASTER_KEY: masterKey, PORT: '0', ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  }

  /** With tenants alpha and beta in own files, twin in that of alpha, and gone, whose database is unreachable. */
  static async create(databaseUrl?: string): Promise<BackupScene> {
    const scene = new BackupScene(databaseUrl)
    mkdirSync(scene.path('data'))
    if (databaseUrl === undefined && migratedFile !== undefined)
      copyFileSync(migratedFile, scene.path('data/tenantry.db'))
    await scene.operate('data', async (operator) => {
      for (const [id, connectionString] of tenants) {
        const tenant = await createTenant(operator, { id, name: id, connectionString })
        if (id !== 'gone') (await operator.shared.tenantDatabases.lease(tenant)).release()
      }
    })
    return scene
  }

  path(...names: string[]): string {
    return join(this.folder, ...names)
  }

  /** @param dataDir a name in the folder of the scene */
  config(dataDir: string, settings: Record<string, string> = {}): Config {
    return loadConfig({ DATA_DIR: dataDir, ...this.#settings, ...settings }, this.folder)
  }

  /** Opens the service of a data folder, and closes it again. */
  async operate<T>(dataDir: string, work: (operator: Context) => Promise<T>): Promise<T> {
    const service = await createService(this.config(dataDir), { log })
    try {
      return await work(await service.operator())
    } finally {
      await service.stop()
    }
  }

  backUp(dataDir: string, to: string, tenantId: string | null = null) {
    return backUpAll(this.config(dataDir), { to: this.path(to), tenantId, report: () => undefined })
  }

  restore(from: string, dataDir: string, { force = false, settings = {} } = {}) {
    const config = this.config(dataDir, settings)
    return restoreAll(
      config,
      { from: this.path(from), force, report: () => undefined },
      {},
      new PassThrough(),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** @param position counted from the end when it is negative */
export function flipByte(path: string, position: number): void {
  const bytes = readFileSync(path)
  const index = position < 0 ? bytes.length + position : position
  bytes[index] = (bytes[index] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
