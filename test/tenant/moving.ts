/** A service in a process of its own, with a tenant; this process moves it, as the command line would. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { loadConfig } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import { createService, type Service } from '../../src/service.ts'
import { moveTenant } from '../../src/tenant/move/move.ts'
import type { MoveOptions } from '../../src/tenant/move/plan.ts'
import { inspect } from '../database/inspect.ts'
import { type Receiver, startReceiver } from '../delivery/receiver.ts'
import { subscribe } from '../delivery/scene.ts'
import type { Client } from '../harness/client.ts'
import { createPostgresDatabase, type DatabaseName } from '../harness/databases.ts'
import { person } from '../harness/service.ts'
import { createAdmin } from '../process/administrator.ts'
import { type Ended, type RunningService, Workplace } from '../process/workplace.ts'

export const tenantId = 'Acme'

export interface MovingScene extends AsyncDisposable {
  service: RunningService
  place: Workplace
  host: Client
  /** An administrator of the tenant. */
  admin: Client
  /** Hears of all events of the tenant. */
  receiver: Receiver
  sharedUrl: string
  folder: string
  /** @param to as the command takes it */
  move(to: string, options?: MoveOptions): Promise<string | null>
  /** Runs something as the command line does, in this process. */
  asOperator<T>(work: (context: Context, service: Service) => Promise<T>): Promise<T>
  run(words: string[], input?: string): Promise<Ended>
  /** `sqlite:…` of a tenant's own file, for `inspect`. */
  fileUrl(name: string): string
  count(url: string, table: string): Promise<number>
}

export async function setMovingScene(database: DatabaseName): Promise<MovingScene> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-move-'))
  const postgres = database === 'postgres' ? await createPostgresDatabase() : null
  const sharedUrl = postgres?.url ?? `sqlite:${join(folder, 'tenantry.db')}`
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: sharedUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'warn',
  }
  const place = new Workplace(settings)
  const service = await place.serve()
  const { authorization } = await createAdmin(service)
  const host = service.anonymous.with({ authorization })
  const made = await host.post('/api/tenants', { id: tenantId, name: 'Acme', admin: person('boss') })
  assert.equal(made.status, 201, made.text)
  const signedIn = await service.anonymous.post(
    '/api/auth/login',
    { userName: 'boss', password: person('boss')['password'] },
    { 'x-tenant-id': tenantId },
  )
  const admin = service.anonymous.withToken(signedIn.body.accessToken)
  const receiver = await startReceiver((response) => response.end())
  await subscribe(admin, receiver, { events: ['*'] })
  const config = loadConfig(settings, folder)
  const asOperator: MovingScene['asOperator'] = async (work) => {
    const opened = await createService(config, { log: pino({ level: 'silent' }) })
    try {
      return await work(await opened.operator(), opened)
    } finally {
      await opened.stop()
    }
  }
  return {
    ...{ service, place, host, admin, receiver, sharedUrl, folder, asOperator },
    move: (to, options = {}) =>
      asOperator((context) =>
        moveTenant(context, tenantId.toLowerCase(), to === 'shared' ? null : to, {
          removeAfterMs: 0,
          ...options,
        }),
      ),
    run: (words, input) => place.run(words, input === undefined ? {} : { input }),
    fileUrl: (name) => `sqlite:${join(folder, 'tenants', name)}`,
    count: async (url, table) => {
      const rows = await inspect(url, `SELECT count(*) AS n FROM ${table} WHERE tenant_id = '${tenantId}'`)
      return Number(rows[0]?.['n'])
    },
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]()
      await receiver.close()
      await postgres?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
