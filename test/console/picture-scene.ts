/** A tenant with something to see on every page of the console. */
import type { Client } from '../support/client.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { person, type TestService, type TestTenant } from '../support/service.ts'
import { answering, publish, subscribe } from '../support/webhooks/delivery-scene.ts'
import { addRule, received, setProvider } from '../support/webhooks/provider.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'

export interface Filled {
  tenantId: string
  invoiceId: string
  userId: string
  subscriptionId: string
  deliveryId: string
  receiptId: string
  portalUrl: string
}

export async function fillTenant(service: TestService, tenant: TestTenant): Promise<Filled> {
  const { admin, id: tenantId } = tenant
  const invoiceId = await fillRows(admin)
  const grace = { firstName: 'Grace', lastName: 'Hopper' }
  const user = await admin.post('/api/users', person('grace', grace))
  await admin.post('/api/roles', { name: 'Accountant', permissions: ['order:read', 'audit:read'] })
  await admin.post('/api/api-keys', { name: 'Nightly import', permissions: ['order:read'] })
  await admin.post('/api/invitations', { email: 'guest@nordic.example' })
  await admin.put('/api/tenant/settings', { brandName: 'Nordic Timber', brandColor: '#11703b' })
  await admin.post('/api/tenant/sso/domains', { domain: 'nordic.example' })
  const webhooks = await fillWebhooks(service, tenant)
  return { tenantId, invoiceId, userId: user.body.id, ...webhooks }
}

async function fillWebhooks(service: TestService, tenant: TestTenant) {
  const { admin } = tenant
  const [good, bad, gone] = [
    await startReceiver(answering(200, {}, 'ok')),
    await startReceiver(answering(503, {}, 'busy')),
    await startReceiver(answering(410)),
  ]
  const subscriptionId = await subscribe(admin, good, { events: ['thing.*', 'order.*'], customer: '7' })
  await subscribe(admin, bad, { events: ['thing.*'], retrySeconds: [3600] })
  await subscribe(admin, gone, { events: ['thing.*'] })
  for (const text of ['one', 'two', 'three']) await publish(admin, 'thing.happened', { text })
  await service.service.queueWorkers.drain()
  const [newest] = (await admin.get(`/api/webhooks/deliveries?subscriptionId=${subscriptionId}`)).body
  await setProvider(admin)
  await addRule(admin, 'log', 'payment.*')
  await addRule(admin, 'ship.it', 'customer.*')
  await received(service, tenant, { id: 'evt_1', type: 'payment.done', amount: 7 })
  const receiptId = await received(service, tenant, {
    id: 'evt_2',
    type: 'customer.created',
    name: 'Öko Haus',
  })
  const origins = ['https://shop.example']
  const portal = await admin.post('/api/webhooks/portal-sessions', {
    customer: '7',
    readOnly: false,
    origins,
  })
  for (const receiver of [good, bad, gone]) await receiver.close()
  return { subscriptionId, deliveryId: newest.id, receiptId, portalUrl: portal.body.url }
}

/** A tenant that is being moved, and one that has its own database, for the pages of the operator. */
export async function fillInstallation({ host }: TestService): Promise<{ movingId: string }> {
  const movingId = 'fjord'
  await host.post('/api/tenants', { id: movingId, name: 'Fjord Boats', plan: 'pro', admin: person('boss') })
  await host.post('/api/tenants', {
    id: 'harbour',
    name: 'Harbour Café',
    connectionString: 'sqlite:harbour.db',
  })
  await host.delete('/api/tenants/harbour')
  const isOver = async () => (await host.get('/api/operations')).body[0].finishedAt !== null
  await host.post('/api/tenants/harbour/export')
  await eventually('the export', 4 * soonMs, isOver)
  await host.post(`/api/tenants/${movingId}/move`, {
    connectionString: 'sqlite:fjord.db',
    removeAfterSeconds: 600,
  })
  const isRemoving = async () => (await host.get('/api/operations')).body[0].phase === 'removing'
  await eventually('the move', 4 * soonMs, isRemoving)
  return { movingId }
}

/** @returns the id of an invoice */
async function fillRows(admin: Client): Promise<string> {
  const made = async (path: string, body: object): Promise<string> => (await admin.post(path, body)).body.id
  const desks = await made('/api/categories', { name: 'Desks' })
  const lamps = await made('/api/categories', { name: 'Lamps' })
  for (const [name, price, categoryId, description] of [
    ['Walnut desk', 349.9, desks, 'A desk of solid walnut.'],
    ['Oak desk', 499, desks, 'A desk of solid oak, oiled.'],
    ['Standing desk', 629.5, desks, null],
    ['Reading lamp', 39.9, lamps, 'Warm light, three steps.'],
    ['Floor lamp', 119, lamps, null],
  ] as const)
    await made('/api/products', { name, price, categoryId, description })
  const customerId = await made('/api/customers', { name: 'Öko Haus', email: 'buying@oeko.example' })
  const lines = [
    { text: 'Walnut desk', quantity: 2, price: 349.9 },
    { text: 'Reading lamp', quantity: 4, price: 39.9 },
  ]
  return made('/api/invoices', { customerId, lines, note: 'Delivery in the second week.' })
}
