/** A service beside which the test does what the command line does. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openOperator } from '../../src/cli/with-operator.ts'
import type { Context } from '../../src/core/context.ts'
import { createService } from '../../src/service/service.ts'
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { inspect } from '../support/database/inspect.ts'
import type { DatabaseName } from '../support/databases.ts'
import { Workplace } from '../support/process/workplace.ts'
import { startService, type TestService, usualOptions } from '../support/service.ts'

/** Longer than a service takes to notice what another process has changed in a file. */
export const hastened: ServiceOptions = { changePropagationMs: 700 }

export interface Served extends TestService, AsyncDisposable {
  sharedUrl: string
  /** For commands in processes of their own. */
  place: Workplace
  /** Runs something as the command line does, on databases that it opens beside the service. */
  asOperator<T>(work: (context: Context) => Promise<T>): Promise<T>
  /** The answers of another, newly opened service; on SQLite, which one process serves, on a copy. */
  statusesAfterStart(path: string, headers: readonly Record<string, string>[]): Promise<number[]>
  /** `sqlite:…` of a tenant's own file, for `inspect`. */
  fileUrl(name: string): string
}

export async function serve(database: DatabaseName, options: ServiceOptions = {}): Promise<Served> {
  const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', BASE_URL: 'http://tenantry.test' }
  const service = await startService(database, settings, { ...hastened, ...options })
  const { config, dataDir } = service
  const place = new Workplace({
    ...settings,
    DATA_DIR: dataDir,
    DATABASE_URL: config.databaseUrl,
    LOG_LEVEL: 'warn',
    MASTER_KEY: Buffer.from(config.masterKey).toString('base64'),
  })
  return {
    ...service,
    place,
    sharedUrl: config.databaseUrl,
    asOperator: async (work) => {
      const { context, close } = await openOperator(config, { ...usualOptions, ...hastened })
      return work(context).finally(close)
    },
    statusesAfterStart: async (path, headers) => {
      const copy = join(dataDir, `copy-${randomBytes(4).toString('hex')}.db`)
      if (database === 'sqlite') await inspect(config.databaseUrl, `VACUUM INTO '${copy}'`)
      const databaseUrl = database === 'sqlite' ? `sqlite:${copy}` : config.databaseUrl
      const opened = await createService({ ...config, databaseUrl }, usualOptions)
      const answers = headers.map((each) => opened.app.inject({ url: path, headers: each }))
      const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
      await opened.stop()
      return statuses
    },
    fileUrl: (name) => `sqlite:${join(dataDir, 'tenants', name)}`,
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]()
      await service.stop()
    },
  }
}
