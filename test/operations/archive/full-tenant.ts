/** A tenant with rows of every kind, some of them pending; and what it looks like from outside. */
import assert from 'node:assert/strict'
import { entityFeatures } from '../../../src/service/built-in-entities.ts'
import type { Answer, Client } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { routesOfHost } from '../../support/host-access.ts'
import {
  type OpenApi,
  operationsOf,
  readOpenApi,
  requiredParameters,
} from '../../support/http/openapi-document.ts'
import { clientId, clientSecret, startIdentityProvider } from '../../support/identity-provider.ts'
import { person, type TestService } from '../../support/service.ts'
import { newVictim, type Victim } from '../../support/victim.ts'
import { deliveries, publish, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { addRule, send, setProvider } from '../../support/webhooks/provider.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'
import type { ArchiveScene } from './installations.ts'

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const customHeaders = { 'x-token': 'for-the-receiver-alone' }

export interface FullTenant extends Victim {
  /** Has received nothing yet; its deliveries are signed with `webhookSecret`. */
  receiver: Receiver
  /** Of `receiver`. */
  subscription: string
  /** The event that waits for `receiver`. */
  waiting: string
  /** The id of a receipt. */
  received: string
  /** Of commands with a key, by what they create. */
  done: Record<'product' | 'user', Answer>
}

/** The service delivers nothing afterwards. */
export async function fillTenant(
  scene: ArchiveScene,
  service: TestService,
  members: Record<string, unknown>,
): Promise<FullTenant> {
  const tenant = await newVictim(service, members)
  const { user, admin } = tenant
  const receiver = await startReceiver((response) => response.end())
  const away = await startReceiver((response) => response.writeHead(500, { 'x-why': 'away' }).end('Away 🙈'))
  for (const each of [receiver, away]) scene.defer(() => each.close())
  const subscription = await subscribe(admin, receiver, {
    events: ['late.*', 'user.created'],
    secret: webhookSecret,
    headers: customHeaders,
  })
  const failing = await subscribe(user, away, { events: ['failing.*'], retrySeconds: [36_000] })
  await publish(user, 'failing.now', { text: 'line\nline\u2028 “quoted” 👩‍👧' })
  const mine = async () => (await deliveries(user, `&subscriptionId=${failing}`))[0]
  await eventually('the failed attempt', soonMs, async () => (await mine())?.attempts === 1)
  await setProvider(admin, 'bytes')
  await addRule(user, 'log', 'none', 'bytes')
  const sent = await send(service, tenant, '{"id":"one","type":"thing","text":"\\u0000 Ω"}', null, 'bytes')
  assert.equal(sent.status, 200, sent.text)
  for (const [name, price] of [
    ['Täglich 🥐', 0.0001],
    ["O'Neil; DROP", 99_999_999_999.9999],
  ] as const)
    assert.equal((await user.post('/api/products', { name, price })).status, 201)
  const darkLogo = await admin.put('/api/tenant/brand/logo/dark', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  assert.equal(darkLogo.status, 200, darkLogo.text)
  await service.service.queueWorkers.stop()
  const done = await repeatables({ user, admin })
  for (const { status, text } of Object.values(done)) assert.equal(status, 201, text)
  const waiting = await publish(user, 'late.happened', { text: 'später 🐌' })
  return { ...tenant, receiver, subscription, waiting, received: sent.body.id, done }
}

/** Of its users. */
export async function setIdentityProvider(
  scene: ArchiveScene,
  { config }: TestService,
  { admin }: FullTenant,
): Promise<void> {
  const { issuer, close } = await startIdentityProvider(config.baseUrl)
  scene.defer(close)
  const { status, text } = await admin.put('/api/tenant/sso', { issuer, clientId, clientSecret })
  assert.equal(status, 200, text)
}

/** A repeated command has the same outcome in both installations. */
export async function repeatables({ user, admin }: Record<'user' | 'admin', Client>) {
  const once = { 'idempotency-key': 'once-and-for-all' }
  return {
    product: await user.post('/api/products', { name: 'Once', price: 3 }, once),
    user: await admin.post('/api/users', person('once'), once),
  }
}

/** Everything that the administrator of the tenant can list, by path. Some rows stay in their installation; others are the host's. */
const ofInstallation: ReadonlySet<string> = new Set([
  '/api/api-keys',
  '/api/audit/all',
  '/api/auth/sessions',
  '/api/figures',
  '/api/figures/history',
  '/api/instances',
  '/api/invitations',
  '/api/mails',
  '/api/migrations',
  '/api/operations',
  '/api/sign-ups',
  '/api/dead-jobs',
  '/api/dead-letters',
  '/api/dead-mails',
  '/api/tenant-health',
  '/api/tenant-overview',
  '/api/webhooks/portal-sessions',
  '/api/webhooks/portal-sessions/current',
])

const ofHost = routesOfHost(entityFeatures())

export async function listsOf({ admin }: { admin: Client }): Promise<Map<string, unknown[]>> {
  const lists = new Map<string, unknown[]>()
  for (const path of listPaths(await readOpenApi(admin))) {
    if (ofInstallation.has(path) || ofHost.has(`GET ${path}`)) continue
    const { status, body, text } = await admin.get(path)
    assert.equal(status, 200, `${path}: ${text}`)
    if (Array.isArray(body)) lists.set(path, body)
    if (path.startsWith('/api/tenant/brand/logo')) lists.set(path, [{ name: text }])
    if (path === '/api/tenant/sso') lists.set(path, [{ ...body, redirectUri: null }]) // of the installation
  }
  const delivered = lists.get('/api/webhooks/deliveries') as { id: string }[] // so the document says
  const log = delivered.map(({ id }) => admin.get(`/api/webhooks/deliveries/${id}`))
  lists.set(
    '/api/webhooks/deliveries/:id',
    (await Promise.all(log)).map(({ body }) => body),
  )
  return lists
}

/** No list is longer than a page. A search is of the same rows. */
function listPaths(document: OpenApi): string[] {
  const routes = [...operationsOf(document)].filter(
    ([route, operation]) => !route.includes('{') && requiredParameters(operation).size === 0,
  )
  return routes
    .filter(([route]) => route.startsWith('GET /api/'))
    .map(([route]) => route.slice('GET '.length))
}
