/** A tenant of a service, and receivers that it delivers to. */
import assert from 'node:assert/strict'
import type { ServiceOptions } from '../../../src/service/service-options.ts'
import type { Answer, Client } from '../client.ts'
import type { DatabaseName } from '../databases.ts'
import { callersAt, person, startService, type TestService, type TestTenant, uniqueName } from '../service.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'

export interface Scene extends AsyncDisposable {
  service: TestService
  tenant: TestTenant
  user: Client
  /** The only user of a tenant more: one with a second user takes twice as long. */
  newAdmin(): Promise<Client>
  /** A receiver that answers so; ended with the scene. @param answer 200 if absent */
  receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver>
  /** @returns the id of the subscription */
  subscribe(receiver: Receiver, members?: Record<string, unknown>, client?: Client): Promise<string>
  /** @returns the id of the event */
  publish(type?: string, data?: unknown, client?: Client): Promise<string>
  /** Waits until everything that is due has been sent and recorded. */
  look(): Promise<void>
}

/** A service of its own. */
export async function setScene(
  database: DatabaseName,
  settings: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<Scene> {
  const service = await startService(database, settings, options)
  return sceneOf(service, () => service.stop())
}

/**
 * A scene at a service that goes on, such as the shared one. In the end its tenants are deactivated, so that nothing of
 * them is sent any more.
 */
export async function sceneAt(running: TestService): Promise<Scene> {
  return sceneOf(await atItsTime(running), async (tenantIds) => {
    const { host } = await atItsTime(running)
    for (const id of tenantIds) await host.delete(`/api/tenants/${id}`)
  })
}

/** Tokens have expired where a test before has moved the clock. */
async function atItsTime(running: TestService): Promise<TestService> {
  const { client } = await running.signIn('admin')
  return { ...running, ...callersAt(running.anonymous, client) }
}

/** @param end is told which tenants there are */
async function sceneOf(
  given: TestService,
  end: (tenantIds: readonly string[]) => Promise<void>,
): Promise<Scene> {
  const receivers: Receiver[] = []
  const tenantIds: string[] = []
  const newTenant: TestService['newTenant'] = async (members) => {
    const made = await given.newTenant(members)
    tenantIds.push(made.id)
    return made
  }
  const service = { ...given, newTenant }
  const tenant = await newTenant()
  return {
    service,
    tenant,
    user: tenant.user,
    newAdmin: async () => {
      const id = uniqueName('tenant')
      const made = await service.host.post('/api/tenants', { id, name: id, admin: person('boss') })
      assert.equal(made.status, 201, made.text)
      tenantIds.push(id)
      return (await service.signIn('boss', id)).client
    },
    receiver: async (answer = ok) => {
      const receiver = await startReceiver(answer)
      receivers.push(receiver)
      return receiver
    },
    subscribe: (receiver, members, client = tenant.user) => subscribe(client, receiver, members),
    publish: (type, data, client = tenant.user) => publish(client, type, data),
    look: () => service.service.queueWorkers.drain(),
    [Symbol.asyncDispose]: async () => {
      for (const receiver of receivers) await receiver.close()
      await end(tenantIds)
    },
  }
}

/** Subscribes to `thing.*`, so that events about the new tenant itself are not delivered. */
export async function subscribe(
  client: Client,
  { url }: { url: string },
  members: Record<string, unknown> = {},
): Promise<string> {
  const made = await client.post('/api/webhooks/subscriptions', { url, events: ['thing.*'], ...members })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

export async function publish(client: Client, type = 'thing.happened', data: unknown = {}): Promise<string> {
  const answer = await client.post('/api/events', { type, data })
  assert.equal(answer.status, 202, answer.text)
  return answer.body.id
}

/** The deliveries of the caller's tenant, oldest first. */
export async function deliveries(client: Client, query = ''): Promise<Delivery[]> {
  const newestFirst = bodyOf<Delivery[]>(await client.get(`/api/webhooks/deliveries?limit=200${query}`))
  return newestFirst.toReversed()
}

export async function delivery(client: Client, id: string): Promise<DeliveryWithAttempts> {
  return bodyOf(await client.get(`/api/webhooks/deliveries/${id}`))
}

/** The only delivery there is, with its attempts. */
export async function onlyDelivery(client: Client): Promise<DeliveryWithAttempts> {
  const [only, ...more] = await deliveries(client)
  assert.ok(only)
  assert.equal(more.length, 0)
  return delivery(client, only.id)
}

export interface Delivery {
  id: string
  subscriptionId: string
  eventId: string
  eventType: string
  kind: string
  status: string
  attempts: number
  nextAttemptAt: string | null
  createdAt: string
  finishedAt: string | null
  reason: string | null
}

export interface DeliveryWithAttempts extends Delivery {
  event: { id: string; type: string; createdAt: string; data: unknown }
  attemptLog: {
    number: number
    startedAt: string
    durationMs: number
    outcome: string
    errorClass: string | null
    status: number | null
    requestHeaders: Record<string, string>
    responseHeaders: Record<string, string>
    responseExcerpt: string
  }[]
}

/** Answers with this status, headers and text. */
export function answering(status: number, headers: Record<string, string> = {}, text = '') {
  return (response: Parameters<Parameters<typeof startReceiver>[0]>[0]): void => {
    response.writeHead(status, headers).end(text)
  }
}

export function eventIds(requests: readonly Received[]): string[] {
  return requests.map(({ headers }) => String(headers['x-webhook-id']))
}

const ok = answering(200, {}, 'ok')

function bodyOf<T>(answer: Answer): T {
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
