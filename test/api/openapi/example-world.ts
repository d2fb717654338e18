/** The rows to which the paths and bodies of the examples refer. */
import { createHmac } from 'node:crypto'
import type { EntityDescription } from '../../../src/core/feature/entity-description.ts'
import type { Answer, Client } from '../../support/client.ts'
import { entitiesOf, makeRowOf } from '../../support/entity-rows.ts'
import { person, type TestService, uniqueName } from '../../support/service.ts'

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

type Make = (service: TestService) => Promise<string>

/** The value of the parameter of a path, by how the path begins. */
const makers: [prefix: string, make: Make][] = [
  // The one that has the names of the example, where there is one: they are unique.
  ['/api/tenants/', async (service) => ((await hasTenant(service, 'acme')) ? 'acme' : newTenantId(service))],
  ['/api/users/by-username/', async () => 'boss'], // of the tenant that the query names
  ['/api/users/', async ({ host }) => made(await host.post('/api/users', person(uniqueName('user'))))],
  ['/api/roles/', ({ host }) => newRole(host)],
  ['/api/products/search/', async () => 'desk'],
  ['/api/preferences/', async () => 'density'],
  ['/api/views/', ({ host }) => makeView(host)],
  ['/api/files/', ({ host }) => makeFile(host)],
  ['/api/webhooks/subscriptions/', ({ host }) => makeSubscription(host)],
  ['/api/webhooks/deliveries/', ({ host }) => makeDelivery(host)],
  ['/api/webhooks/receive/', ({ host }) => makeProvider(host)],
  ['/api/webhooks/providers/', ({ host }) => makeProvider(host)],
  ['/api/webhooks/rules/', ({ host }) => makeRule(host)],
  ['/api/webhooks/receipts/', ({ host }) => makeReceipt(host)],
]

/** The path, with the id of a new resource as its parameter. */
export async function existingPath(service: TestService, path: string): Promise<string> {
  if (!path.includes('{')) return path
  const [, make = makerOf(service, path)] = makers.find(([prefix]) => path.startsWith(prefix)) ?? []
  if (make === undefined)
    throw new Error(`Write into test/api/openapi/example-world.ts how to make what ${path} names.`)
  return path.replace(/{\w+}/, await make(service))
}

/** The row of an entity. */
function makerOf({ service }: TestService, path: string): Make | undefined {
  const entity = entitiesOf(service.features).find(({ operations }) =>
    path.startsWith(`${operations.list?.path}/`),
  )
  return entity && (({ host, service: { features } }) => anyRow(host, entitiesOf(features), entity.name))
}

/** Values that an example cannot know: ids of rows and issued tokens. */
const references: Record<string, Make> = {
  tenantId: newTenantId,
  refreshToken: async ({ signIn }) => (await signIn('admin')).refreshToken,
}

export async function withExisting(service: TestService, example: unknown): Promise<unknown> {
  if (Array.isArray(example)) return Promise.all(example.map((item) => withExisting(service, item)))
  if (typeof example !== 'object' || example === null) return example
  const members = Object.entries(example).map(async ([name, value]) => {
    const make = value === null ? undefined : (references[name] ?? makerNamed(service, name))
    return [name, make === undefined ? await withExisting(service, value) : await make(service)]
  })
  return Object.fromEntries(await Promise.all(members))
}

/** Of the rows to which a member of this name refers. */
function makerNamed({ service }: TestService, name: string): Make | undefined {
  const entities = entitiesOf(service.features)
  const field = entities
    .flatMap(({ fields }) => fields.flatMap((each) => [each, ...each.fields]))
    .find((each) => each.name === name && entities.some((entity) => entity.name === each.entity))
  return field && (({ host }) => anyRow(host, entities, field.entity ?? ''))
}

/** The first, which has the values of the example if another row may not have them. */
async function anyRow(host: Client, entities: readonly EntityDescription[], name: string): Promise<string> {
  const { operations } = entities.find((entity) => entity.name === name) ?? {}
  const [known] = (await host.get(operations?.list?.path ?? '')).body
  return known?.id ?? makeRowOf(host, entities, name, uniqueName('a'))
}

/** @returns the header with which a provider signs the text */
export function signature(text: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', webhookSecret).update(`${seconds}.${text}`).digest('hex')
  return { 'stripe-signature': `t=${seconds},v1=${digest}` }
}

async function newTenantId({ newTenant }: TestService): Promise<string> {
  return (await newTenant()).id
}

async function hasTenant({ host }: TestService, id: string): Promise<boolean> {
  return (await host.get(`/api/tenants/${id}`)).status === 200
}

async function newRole(host: Client): Promise<string> {
  const { body } = await host.post('/api/roles', { name: uniqueName('Role'), permissions: [] })
  return body.name
}

async function makeFile(host: Client): Promise<string> {
  return made(await host.post('/api/files?name=desk.txt', 'Walnut', { 'content-type': 'text/plain' }))
}

async function makeView(host: Client): Promise<string> {
  return made(await host.post('/api/views', { name: uniqueName('View'), entity: 'product' }))
}

async function makeSubscription(host: Client): Promise<string> {
  const url = 'https://example.com/hooks'
  return made(await host.post('/api/webhooks/subscriptions', { url, events: ['order.paid'] }))
}

async function makeDelivery(host: Client): Promise<string> {
  return made(await host.post(`/api/webhooks/subscriptions/${await makeSubscription(host)}/test`))
}

async function makeProvider(host: Client): Promise<string> {
  await host.put('/api/webhooks/providers/stripe', { secret: webhookSecret })
  return 'stripe'
}

async function makeRule(host: Client): Promise<string> {
  const rule = { provider: 'stripe', eventType: 'charge.*', action: 'log' }
  return made(await host.post('/api/webhooks/rules', rule))
}

async function makeReceipt(host: Client): Promise<string> {
  const path = `/api/webhooks/receive/${await makeProvider(host)}`
  const text = JSON.stringify({ id: uniqueName('evt'), type: 'charge.succeeded' })
  return made(await host.post(path, text, signature(text)))
}

function made({ status, text, body }: Answer): string {
  if (status >= 300) throw new Error(`Not made: ${status} ${text}`)
  return body.id
}
