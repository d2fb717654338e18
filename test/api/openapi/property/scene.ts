/** A service with callers of every kind, and rows for the requests to name. */
import type { LightMyRequestResponse as Response } from 'fastify'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { enqueueFor } from '../../../jobs/work-feature.ts'
import { greet } from '../../../mail/mail-feature.ts'
import type { Client } from '../../../support/client.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { routesOfHost } from '../../../support/host-access.ts'
import { newProduct, orderOf } from '../../../support/orders.ts'
import { runsOf } from '../../../support/run/extent.ts'
import { person, type TestService, type TestTenant } from '../../../support/service.ts'
import { addRule, received, setProvider } from '../../../support/webhooks/provider.ts'
import { deletedKind, type GeneratedRequest } from './requests.ts'

export interface Scene {
  service: TestService
  /** By title of the caller; `null` sends no token, other values are sent as they are. */
  tokens: Record<string, string | null>
  /** Existing names by kind: collections by the last segment of their address. */
  pools: Record<string, string[]>
  /** Operations that only the host may call: `GET /api/dead-letters`. */
  ofHost: ReadonlySet<string>
}

/** Titles of callers; those with more access come more often. */
export const callers = [
  ...['host', 'host', 'host', 'administrator', 'administrator', 'administrator', 'administrator'],
  ...['user', 'user', 'user', 'stranger', 'nobody', 'broken', 'forged'],
]

/** Callers of operations that end their session, or may change their password. */
const leaving = ['leaving-1', 'leaving-2', 'leaving-3']
const transient = [...leaving, 'changing-1', 'changing-2', 'changing-3']

/** The oldest names are removed, so that most of them still exist. */
const poolSize = runsOf(8, 20)

export async function populate(service: TestService): Promise<Scene> {
  const tenant = await service.newTenant()
  const other = await service.newTenant({ subdomain: 'other' })
  const plain = ['maria', 'noor', 'olga', 'paul']
  const users = await Promise.all([...plain, ...transient].map((name) => newUser(tenant.admin, name)))
  const signIn = async (userName: string, tenantId: string) =>
    (await service.signIn(userName, tenantId)).accessToken
  const user = await signIn('worker', tenant.id)
  const spare = ['spare-1', 'spare-2']
  for (const id of spare) await service.host.post('/api/tenants', { id, name: id, subdomain: id })
  const passing = transient.map(async (title) => [title, await signIn(title, tenant.id)])
  return {
    service,
    ofHost: operationsOfHost(service.service.features),
    tokens: {
      host: await signIn('admin', 'default'),
      administrator: await signIn('boss', tenant.id),
      user,
      stranger: await signIn('worker', other.id),
      ...Object.fromEntries(await Promise.all(passing)),
      nobody: null,
      broken: 'nonsense',
      forged: `${user.slice(0, -4)}AAAA`,
    },
    pools: {
      tenantId: [tenant.id, other.id, 'default', ...spare],
      // No caller's own tenant or user: what becomes of these disturbs nobody.
      tenants: spare,
      users: users.slice(0, plain.length),
      userName: ['maria', 'noor', 'boss', 'admin'],
      deliveries: await newDeliveries(service, tenant.admin),
      orders: await newOrders(tenant.admin),
      provider: ['stripe', 'github', 'acme'],
      name: await newRoles(tenant.admin),
      preferences: ['density', 'columns.product'],
      receipts: await newReceipts(service, tenant),
      jobs: await newJobs(service, tenant),
      mails: await newMails(service, tenant),
      domain: await newDomains(tenant.admin),
      'portal-sessions': await newPortalSessions(tenant.admin),
      sessions: await newSessions(service, tenant.id),
      refreshToken: [(await service.signIn('worker', other.id)).refreshToken],
    },
  }
}

/** As the document writes them. */
function operationsOfHost(features: readonly Feature[]): ReadonlySet<string> {
  return new Set([...routesOfHost(features)].map((name) => name.replaceAll(/:(\w+)/g, '{$1}')))
}

async function newUser(admin: Client, userName: string): Promise<string> {
  return (await admin.post('/api/users', person(userName))).body.id
}

async function newRoles(admin: Client): Promise<string[]> {
  const names = Array.from({ length: poolSize }, (_, place) => `Role-${place}`)
  for (const name of names) await admin.post('/api/roles', { name, permissions: [] })
  return names
}

async function newPortalSessions(admin: Client): Promise<string[]> {
  const open = () => admin.post('/api/webhooks/portal-sessions', { origins: ['https://shop.example'] })
  return (await Promise.all(Array.from({ length: poolSize }, open))).map(({ body }) => body.id)
}

async function newDomains(admin: Client): Promise<string[]> {
  const names = Array.from({ length: poolSize }, (_, place) => `acme-${place}.example`)
  for (const domain of names) await admin.post('/api/tenant/sso/domains', { domain })
  return names
}

/** Further ones of the administrator, who may end them. */
async function newSessions(service: TestService, tenantId: string): Promise<string[]> {
  const ids: string[] = []
  for (let count = 0; count < poolSize; count++) {
    const { client } = await service.signIn('boss', tenantId)
    const { body } = await client.get('/api/auth/sessions')
    ids.push(body.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id)
  }
  return ids
}

/** Failed deliveries: nobody listens at their address. */
async function newDeliveries(service: TestService, admin: Client): Promise<string[]> {
  await admin.post('/api/webhooks/subscriptions', { url: 'http://127.0.0.1:9/', events: ['*'] })
  for (const type of ['thing.begun', 'thing.ended']) await admin.post('/api/events', { type, data: {} })
  await service.service.queueWorkers.drain()
  const { body } = await admin.get('/api/webhooks/deliveries')
  return body.map(({ id }: { id: string }) => id)
}

/** So many that some are still PENDING when requests change them. */
async function newOrders(admin: Client): Promise<string[]> {
  const product = await newProduct(admin)
  const placed = Array.from({ length: poolSize }, () => admin.post('/api/orders', orderOf([[product, 1]])))
  return (await Promise.all(placed)).map(({ body }) => body.id)
}

/** Each with a rule for it. */
async function newReceipts(service: TestService, tenant: TestTenant): Promise<string[]> {
  await setProvider(tenant.admin)
  for (const action of ['publish', 'missing']) await addRule(tenant.admin, action)
  const ids = ['thing.sent', 'thing.lost'].map((type) => received(service, tenant, { id: type, type }))
  return Promise.all(ids)
}

/** They have failed for good. */
async function newJobs(service: TestService, tenant: TestTenant): Promise<string[]> {
  const ids = await Promise.all([1, 2, 3].map((number) => enqueueFor(service, tenant.id, number)))
  await service.service.queueWorkers.drain()
  return ids
}

/** The mail server refuses each of them. */
async function newMails(service: TestService, tenant: TestTenant): Promise<string[]> {
  const ids = await Promise.all(
    ['a', 'b', 'c'].map((name) => greet(service, tenant.id, `${name}@acme.example`)),
  )
  await service.service.queueWorkers.drain()
  return ids
}

/** What requests may have forbidden, and signing in needs. */
export async function restore({ service, tokens }: Scene): Promise<void> {
  const host = service.anonymous.withToken(tokens['host'] ?? '')
  await host.put('/api/tenant/settings', { requireSecondFactor: null })
}

/** One at a time may go on, and a tenant waits for its own. */
export async function operationsEnd({ service }: Scene): Promise<void> {
  await eventually('the end of all operations', soonMs, async () => {
    const { body } = await service.host.get('/api/operations')
    return body.every(({ status }: { status: string }) => status === 'DONE')
  })
}

/** Replaces placeholders by existing names. */
export function resolve(request: GeneratedRequest, { pools }: Scene): GeneratedRequest {
  const put = (text: string) =>
    text.replaceAll(/~([\w-]+)\.(\d+)~/g, (_all, kind, place) => idFrom(pools, kind, Number(place)))
  const headers = Object.entries(request.headers).map(([name, value]) => [name, put(value)])
  return {
    ...request,
    url: put(request.url),
    headers: Object.fromEntries(headers),
    body: request.body === null ? null : put(request.body),
  }
}

/** Later requests may name what this one has created, and do not name what it has deleted. */
export function remember(request: GeneratedRequest, answer: Response, { pools, ofHost }: Scene): void {
  const segments = request.operation.split('/')
  if (answer.statusCode === 204) forget(pools, segments.at(-2) ?? '', request.url)
  if (answer.statusCode !== 201 || request.caller === 'stranger') return
  const kind = segments.at(-1) ?? ''
  // Rows of the host tenant would be foreign to most callers.
  if (request.caller === 'host' && kind !== 'tenants' && !ofHost.has(request.operation)) return
  const { id } = JSON.parse(answer.payload) as { id: string } // whatever is created has one
  pools[kind] = [id, ...(pools[kind] ?? [])].slice(0, poolSize)
}

function forget(pools: Scene['pools'], kind: string, url: string): void {
  const gone = (pools[kind] ?? []).filter((id) => url.includes(id))
  pools[deletedKind(kind)] = [...gone, ...(pools[deletedKind(kind)] ?? [])].slice(0, poolSize)
  pools[kind] = (pools[kind] ?? []).filter((id) => kind === 'tenants' || !url.includes(id))
}

function idFrom(pools: Scene['pools'], kind: string, place: number): string {
  if (kind === 'cursor') return Buffer.from(idFrom(pools, 'products', place)).toString('base64url')
  const pool = pools[kind] ?? []
  return pool[place % Math.max(pool.length, 1)] ?? '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
}
