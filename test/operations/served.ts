/** A service in a process of its own; this process does what the command line would do beside it. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOperator } from '../../src/cli/with-operator.ts'
import type { Context } from '../../src/core/context.ts'
import { loadConfig } from '../../src/core/settings/config.ts'
import { createService } from '../../src/service/service.ts'
import type { Client } from '../support/client.ts'
import { inspect } from '../support/database/inspect.ts'
import {
  createPostgresDatabase,
  type DatabaseName,
  migratedFile,
  migratedTemplate,
} from '../support/databases.ts'
import { newMasterKey } from '../support/master-key.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { type RunningService, Workplace } from '../support/process/workplace.ts'
import { usualOptions } from '../support/service.ts'

export interface Served extends AsyncDisposable {
  service: RunningService
  place: Workplace
  /** An administrator of the host tenant. */
  host: Client
  folder: string
  sharedUrl: string
  /** Runs something as the command line does, in this process. */
  asOperator<T>(work: (context: Context) => Promise<T>): Promise<T>
  /** The answer of another, newly opened service; on SQLite, which one process serves, on a copy. */
  statusAfterStart(path: string, headers: Record<string, string>): Promise<number>
  /** `sqlite:…` of a tenant's own file, for `inspect`. */
  fileUrl(name: string): string
}

export async function serveApart(database: DatabaseName): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-served-'))
  const postgres = database === 'postgres' ? await createPostgresDatabase(migratedTemplate) : null
  const file = join(folder, 'tenantry.db')
  if (postgres === null && migratedFile !== undefined) copyFileSync(migratedFile, file)
  const sharedUrl = postgres?.url ?? `sqlite:${file}`
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: sharedUrl,
    MASTER_KEY: newMasterKey(),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    TRUST_PROXY: 'true',
    BASE_URL: 'http://tenantry.test',
    LOG_LEVEL: 'warn',
  }
  const place = new Workplace(settings)
  const service = await place.serve()
  const { authorization } = await createAdmin(service)
  const config = loadConfig(settings, folder)
  return {
    ...{ service, place, folder, sharedUrl },
    host: service.anonymous.with({ authorization }),
    asOperator: async (work) => {
      const { context, close } = await openOperator(config, usualOptions)
      return work(context).finally(close)
    },
    statusAfterStart: async (path, headers) => {
      const copy = join(folder, `copy-${randomBytes(4).toString('hex')}.db`)
      if (database === 'sqlite') await inspect(sharedUrl, `VACUUM INTO '${copy}'`)
      const databaseUrl = database === 'sqlite' ? `sqlite:${copy}` : sharedUrl
      const opened = await createService({ ...config, databaseUrl }, usualOptions)
      const { statusCode } = await opened.app.inject({ url: path, headers })
      await opened.stop()
      return statusCode
    },
    fileUrl: (name) => `sqlite:${join(folder, 'tenants', name)}`,
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]()
      await postgres?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
