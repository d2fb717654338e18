/** A service that ends in the middle of something, and the next one on the files that it leaves. */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../../src/core/settings/config.ts'
import { createService } from '../../../src/service/service.ts'
import { Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { startService, usualOptions } from '../../support/service.ts'
import { hastened } from '../served.ts'

export interface Life extends AsyncDisposable {
  /** Of whoever serves now. */
  dataDir: string
  anonymous: Client
  /** An administrator of the host tenant. */
  host: Client
  /** Ends the service, and starts the next. */
  end(how: 'killed' | 'stopped'): Promise<void>
}

/** Ten seconds pass for the next service. A kill is a copy of the files of that moment: they are what it leaves. */
export async function liveHere(): Promise<Life> {
  const clock = new TestClock()
  const options = { ...usualOptions, ...hastened, clock: clock.now, deliveryStopWithinMs: 100 }
  const { config, dataDir, anonymous, host, service, stop } = await startService('sqlite', {}, options)
  const tidy = new AsyncDisposableStack()
  tidy.defer(stop)
  let current = { config, service }
  const life: Life = {
    dataDir,
    anonymous,
    host,
    end: async (how) => {
      const next = how === 'killed' ? copyFiles(current.config) : current.config
      if (how === 'stopped') await current.service.stop()
      clock.advance({ seconds: 10 })
      const started = await createService(next, options)
      current = { config: next, service: started }
      const url = await started.start()
      tidy.defer(async () => {
        await started.stop()
        if (how === 'killed') rmSync(next.dataDir, { recursive: true })
      })
      Object.assign(life, clientsAt(url, host), { dataDir: next.dataDir })
    },
    [Symbol.asyncDispose]: () => tidy.disposeAsync(),
  }
  return life
}

/** In processes of their own. */
export async function liveApart(): Promise<Life> {
  const place = new Workplace()
  let service = await place.serve()
  const { accessToken } = await createAdmin(service)
  const host = service.anonymous.withToken(accessToken)
  const life: Life = {
    dataDir: join(place.folder, 'data'),
    anonymous: service.anonymous,
    host,
    end: async (how) => {
      await (how === 'killed' ? service.kill() : service.stop())
      service = await place.serve()
      Object.assign(life, clientsAt(service.url, host))
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
  return life
}

/** All at one moment: this process writes nothing meanwhile. */
function copyFiles(config: Config): Config {
  const { dataDir } = config
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-left-'))
  const databases = ['.', 'tenants'].flatMap((name) => databasesIn(join(dataDir, name)))
  cpSync(dataDir, folder, { recursive: true, filter: (path) => !isOfDatabase(path, databases) })
  for (const path of databases) {
    const connection = new DatabaseSync(path)
    connection.exec(`VACUUM INTO '${path.replace(dataDir, folder)}'`)
    connection.close()
  }
  return { ...config, dataDir: folder, databaseUrl: `sqlite:${join(folder, 'tenantry.db')}` }
}

function databasesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(folder, name))
}

/** With its log and its locks. */
function isOfDatabase(path: string, databases: readonly string[]): boolean {
  return databases.some((database) => path.startsWith(database) && dirname(path) === dirname(database))
}

function clientsAt(url: string, host: Client): Pick<Life, 'anonymous' | 'host'> {
  const anonymous = new Client(url)
  return { anonymous, host: anonymous.with(host.headers) }
}
