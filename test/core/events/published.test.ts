/** Each change publishes its event, with the payload of the catalogue. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Compile } from 'typebox/compile'
import { exampleOf } from '../../../src/api/openapi/example.ts'
import type { EntityDescription } from '../../../src/core/feature/entity-description.ts'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import type { Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { callOf, entitiesOf, inputOf, makeRowOf, plainFieldsOf } from '../../support/entity-rows.ts'
import { isEntityOfHost } from '../../support/host-access.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'

interface Described {
  type: string
  schema: object
}

/** Published by deliveries, by jobs and by mails, or to the host when there is no tenant any more. */
const ofOthers = /^webhook\.|^job\.|^mail\.|^tenant\.erased$/

onEitherDatabase('The events of changes', (database) => {
  let service: TestService
  let tenant: TestTenant
  /** The beginnings of the types of the host's own events. */
  let hostTypes: string[]
  before(async () => {
    const mails = new CollectedMails()
    service = await startService(database, { SIGN_UP: 'approval' }, { mailTransport: mails })
    tenant = await service.newTenant()
    const { features } = service.service
    const entities = entitiesOf(features)
    const ofHost = entities.filter((entity) => isEntityOfHost(entity, features))
    hostTypes = ['signUp', ...ofHost.map(({ name }) => name)]
    for (const entity of entities)
      await changeEntity(ofHost.includes(entity) ? service.host : tenant.admin, entity, entities)
    await changeEverything(service, tenant)
    await invite(service, tenant, mails)
    await signUp(service, mails)
  })
  after(() => service.stop())

  const stored = async () => {
    const where = [`tenant_id = '${tenant.id}'`, ...hostTypes.map((type) => `type LIKE '${type}.%'`)]
    const text = `SELECT id, type, data FROM event WHERE ${where.join(' OR ')} ORDER BY id`
    return inspect(service.config.databaseUrl, text)
  }

  it('are of every type of the catalogue, and of no other', async () => {
    const { body } = await service.host.get('/api/webhooks/event-types')
    const known = body.map(({ type }: Described) => type).filter((type: string) => !ofOthers.test(type))
    assert.ok(known.length >= 17)
    const published = new Set((await stored()).map(({ type }) => String(type)))
    const mend = 'let changeEverything of this file do what publishes these'
    assert.deepEqual(
      known.filter((type: string) => !published.has(type)),
      [],
      mend,
    )
    assert.deepEqual(
      [...published].filter((type) => !known.includes(type)),
      [],
    )
  })

  it('tell what their schemas say, with no member more or less', async () => {
    const { body } = await service.host.get('/api/webhooks/event-types')
    const schemas = new Map<string, object>(body.map(({ type, schema }: Described) => [type, schema]))
    for (const { id, type, data } of await stored()) {
      const closed = { ...schemas.get(String(type)), additionalProperties: false }
      assert.deepEqual(Compile(closed).Errors(JSON.parse(String(data))), [], `${type} ${data}`)
      assert.match(String(id), /^evt_[0-9a-hjkmnp-tv-z]{26}$/)
    }
  })
})

/** As its description says. */
async function changeEntity(
  admin: Client,
  entity: EntityDescription,
  entities: readonly EntityDescription[],
): Promise<void> {
  const { name, operations, actions } = entity
  const make = () => makeRowOf(admin, entities, name, uniqueName('a'))
  const id = await make()
  const input = inputOf({ fields: plainFieldsOf(entity) }, uniqueName('b'), {})
  if (operations.change) await callOf(admin, operations.change, id, input)
  if (operations.delete) await callOf(admin, operations.delete, id)
  if (operations.create && entity.trashDays !== null)
    await callOf(admin, { method: 'POST', path: `${operations.create.path}/:id/restore` }, id)
  for (const action of actions)
    await callOf(admin, action, await make(), action.input === null ? undefined : exampleOf(action.input))
}

async function changeEverything(
  service: TestService,
  { id: tenantId, user, admin }: TestTenant,
): Promise<void> {
  const made = await admin.post('/api/users', person('maria'))
  await admin.put(`/api/users/${made.body.id}`, { lastName: 'Other' })
  await admin.delete(`/api/users/${made.body.id}`)
  const file = await user.send('POST', '/api/files?name=note.txt', 'A note', { 'content-type': 'text/plain' })
  await user.delete(`/api/files/${file.body.id}`)
  await admin.post('/api/roles', { name: 'Clerk', permissions: [] })
  await admin.put('/api/roles/Clerk', { permissions: ['order:read'] })
  await admin.delete('/api/roles/Clerk')
  const apiKey = await admin.post('/api/api-keys', { name: 'Import', permissions: [] })
  await admin.delete(`/api/api-keys/${apiKey.body.id}`)
  await admin.put('/api/tenant/settings', { locale: 'de', timeZone: null })
  await signInAnew(service, tenantId)
  const { body: worker } = await user.get('/api/auth/me')
  await service.host.post(`/api/users/${worker.id}/impersonate`, { reason: 'Ticket 4711' })
  await service.host.put(`/api/tenants/${tenantId}`, { name: 'Other' })
  await service.host.delete(`/api/tenants/${tenantId}`)
  await service.host.put(`/api/tenants/${tenantId}`, { isActive: true })
}

async function invite(
  { anonymous, service, signIn }: TestService,
  { id }: TestTenant,
  mails: CollectedMails,
): Promise<void> {
  const { client: admin } = await signIn('boss', id)
  const email = 'guest@example.com'
  await admin.post('/api/invitations', { email })
  await service.queueWorkers.drain()
  const { text } = mails.list().find(({ to }) => to === email) ?? { text: '' }
  const token = mailedToken(text)
  const { email: _email, ...guest } = person('guest')
  await anonymous.post('/api/invitations/accept', { ...guest, token }, { 'x-tenant-id': id })
}

/** One is approved, and one rejected. The host gets the events. */
async function signUp({ anonymous, host, service }: TestService, mails: CollectedMails): Promise<void> {
  for (const name of ['approved', 'rejected']) {
    const applicant = person(name)
    await anonymous.post('/api/auth/sign-up', { ...applicant, tenantName: name }, fromAnyAddress())
    await service.queueWorkers.drain()
    const { text } = mails.list().find(({ to }) => to === applicant['email']) ?? { text: '' }
    const token = mailedToken(text)
    await anonymous.post('/api/auth/sign-up/verify', { token, password: 'Admin@123' }, fromAnyAddress())
  }
  const [approved, rejected] = (await host.get('/api/sign-ups')).body
  await host.post(`/api/sign-ups/${approved.id}/approve`)
  await host.post(`/api/sign-ups/${rejected.id}/reject`, {})
}

/** From a device and a network that are new for the user. */
async function signInAnew({ anonymous }: TestService, tenantId: string): Promise<void> {
  const headers = { 'x-tenant-id': tenantId, 'x-forwarded-for': '203.0.113.77', 'user-agent': 'curl/8.0' }
  await anonymous.post('/api/auth/login', { userName: 'worker', password: 'Admin@123' }, headers)
}
