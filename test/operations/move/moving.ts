/** A service with a tenant, which the test moves as the command line would, beside the service. */
import assert from 'node:assert/strict'
import { moveTenant } from '../../../src/operations/move/move.ts'
import type { MoveOptions } from '../../../src/operations/move/plan.ts'
import type { ServiceOptions } from '../../../src/service/service-options.ts'
import type { Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { tenantry } from '../../support/process/command-line.ts'
import type { Ended } from '../../support/process/ended.ts'
import { person } from '../../support/service.ts'
import { subscribe } from '../../support/webhooks/delivery-scene.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'
import type { BusyClients } from '../busy-clients.ts'
import { type Served, serve } from '../served.ts'

export const tenantId = 'Acme'

export interface MovingScene extends Served {
  /** An administrator of the tenant. */
  admin: Client
  /** Receives all events of the tenant. */
  receiver: Receiver
  /** @param to as the command takes it */
  move(to: string, options?: MoveOptions): Promise<string | null>
  run(words: string[]): Promise<Ended>
  count(url: string, table: string): Promise<number>
}

export async function setMovingScene(
  database: DatabaseName,
  serviceOptions: ServiceOptions = {},
): Promise<MovingScene> {
  const served = await serve(database, serviceOptions)
  const { host } = served
  const made = await host.post('/api/tenants', { id: tenantId, name: 'Acme', admin: person('boss') })
  assert.equal(made.status, 201, made.text)
  const admin = (await served.signIn('boss', tenantId)).client
  const receiver = await startReceiver((response) => response.end())
  await subscribe(admin, receiver, { events: ['*'] })
  return {
    ...served,
    admin,
    receiver,
    move: (to, options = {}) =>
      served.asOperator((context) =>
        moveTenant(context, tenantId.toLowerCase(), to === 'shared' ? null : to, {
          removeAfterMs: 0,
          ...options,
        }),
      ),
    run: (words) => tenantry(words, served),
    count: async (url, table) => {
      const rows = await inspect(url, `SELECT count(*) AS n FROM ${table} WHERE tenant_id = '${tenantId}'`)
      return Number(rows[0]?.['n'])
    },
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]()
      await receiver.close()
    },
  }
}

/** The arguments of the command. */
export function moveTo(to: string, removeAfterSeconds = 0): string[] {
  return ['tenant', 'move', tenantId, '--to', to, '--remove-after', String(removeAfterSeconds)]
}

/** Waits until the catalogue names a place of this kind. */
export async function isServedFrom({ host }: MovingScene, kind: string, withinMs = soonMs): Promise<void> {
  const served = async () => (await host.get(`/api/tenants/${tenantId}/database`)).body.kind === kind
  await eventually(kind, withinMs, served)
}

/** Waits until every event has arrived and no delivery is pending. */
export async function toldOfEverything(
  { receiver, admin }: MovingScene,
  { created }: BusyClients,
): Promise<void> {
  await eventually('every event', soonMs, async () => {
    const told = receiver.requests.map(({ body }) => JSON.parse(body))
    const ids = new Set(told.flatMap(({ data }) => data.productId ?? []))
    return [...created].every((id) => ids.has(id))
  })
  const waiting = async () => (await admin.get('/api/webhooks/deliveries?status=PENDING')).body
  await eventually('nothing waits', soonMs, async () => (await waiting()).length === 0)
}
