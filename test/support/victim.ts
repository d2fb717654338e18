/** A tenant whose every text contains a word that no other tenant may see. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { EntityDescription } from '../../src/core/feature/entity-description.ts'
import type { Client } from './client.ts'
import { callOf, inputOf, makeRow, makeRows, plainFieldsOf, type Rows, readEntities } from './entity-rows.ts'
import { eventually, soonMs } from './eventually.ts'
import { missing, type Names } from './names.ts'
import { password, type TestService, type TestTenant, uniqueName } from './service.ts'
import { addRule, send, setProvider, signed } from './webhooks/provider.ts'

export interface Victim extends TestTenant {
  canary: string
  names: Names
}

export type Callers = Pick<TestService, 'anonymous' | 'host' | 'newTenant' | 'signIn'>

/** @param members of the tenant, beside its names */
export async function newVictim(service: Callers, members: Record<string, unknown> = {}): Promise<Victim> {
  const canary = uniqueName('canary').replace('-', '')
  const tenant = await service.newTenant({
    name: `Name ${canary}`,
    plan: `Plan ${canary}`,
    subdomain: canary,
    ...members,
  })
  const userName = `user-${canary}`
  const email = `${userName}@example.com`
  const person = {
    userName,
    email,
    firstName: `First ${canary}`,
    lastName: `Last ${canary}`,
    phoneNumber: canary,
  }
  const user = await tenant.admin.post('/api/users', { ...person, password })
  const entities = await readEntities(tenant.admin)
  const rows = await makeRows(tenant.admin, entities, ({ label }) => `${label} ${canary}`)
  const deleted = await makePast(tenant.admin, entities, { rows, canary })
  const subscription = await tenant.user.post('/api/webhooks/subscriptions', {
    url: `http://127.0.0.1:9/${canary}`,
    events: [`${canary}.*`],
    secret: canary,
    headers: { [canary]: canary },
    retrySeconds: [],
  })
  const apiKey = await tenant.admin.post('/api/api-keys', { name: `Key ${canary}`, permissions: [] })
  const file = await tenant.user.send('POST', `/api/files?name=${canary}.txt`, `Content ${canary}`, {
    'content-type': 'text/plain',
  })
  const role = await tenant.admin.post('/api/roles', {
    name: `Role-${canary}`,
    description: `Description ${canary}`,
    permissions: [],
  })
  const domain = await tenant.admin.post('/api/tenant/sso/domains', { domain: `${canary}.example` })
  const invitation = await tenant.admin.post('/api/invitations', { email: `guest-${canary}@example.com` })
  const portal = await tenant.admin.post('/api/webhooks/portal-sessions', {
    customer: canary,
    origins: ['https://shop.example'],
  })
  const view = await tenant.admin.post('/api/views', {
    name: `View ${canary}`,
    entity: 'product',
    query: { search: canary },
    sharedWith: 'everybody',
  })
  await tenant.admin.put('/api/preferences/favourites', { value: [canary] })
  const created = [view, portal, user, role, apiKey, file, subscription, domain, invitation]
  for (const { status, text } of created) assert.equal(status, 201, text)
  // Written down in the audit, too.
  await tenant.admin.put('/api/tenant/settings', { brandName: `Brand ${canary}` })
  const logo = `<svg xmlns="http://www.w3.org/2000/svg"><title>Brand ${canary}</title></svg>`
  assert.equal((await tenant.admin.put('/api/tenant/brand/logo', logo)).status, 200)
  await tenant.admin.put(`/api/users/${user.body.id}`, { lastName: `Latter ${canary}` })
  const names = {
    tenant: tenant.id,
    subdomain: canary,
    user: user.body.id,
    session: await sessionOf(tenant.user),
    userName,
    email,
    rows,
    hostRows: await makeHostRows(service.host, entities),
    deleted,
    product: rows['product'] ?? '',
    productName: `product ${canary}`,
    category: rows['category'] ?? '',
    order: rows['order'] ?? '',
    customer: `order ${canary}`,
    word: canary,
    role: role.body.name,
    file: file.body.id,
    subscription: subscription.body.id,
    delivery: await deliveryOf(tenant.user, canary),
    portal: portal.body.id,
    provider: canary,
    rule: await ruleOf(tenant.user, canary),
    receipt: await receiptOf(service, tenant, canary),
    apiKey: apiKey.body.id,
    domain: domain.body.domain,
    invitation: invitation.body.id,
    view: view.body.id,
    refreshToken: await refreshTokenOf(service, tenant, userName),
    passkey: missing.passkey,
    job: missing.job,
    mail: missing.mail,
  }
  return { ...tenant, canary, names }
}

/** @param known entities that the tenant reads as well */
async function makeHostRows(host: Client, known: readonly EntityDescription[]): Promise<Rows> {
  const names = new Set(known.map(({ name }) => name))
  const ofHost = (await readEntities(host)).filter(({ name }) => !names.has(name))
  return makeRows(host, ofHost, () => uniqueName('host'))
}

/** Earlier versions of rows, and deleted ones. @returns the ids of the latter by entity */
async function makePast(
  admin: Client,
  entities: readonly EntityDescription[],
  { rows, canary }: { rows: Rows; canary: string },
): Promise<Rows> {
  const deleted: Record<string, string> = {}
  for (const entity of entities) {
    const { name, label, operations, hasHistory, trashDays } = entity
    const same = inputOf({ fields: plainFieldsOf(entity) }, `${label} ${canary}`, {})
    if (hasHistory && operations.change) await callOf(admin, operations.change, rows[name] ?? '', same)
    if (trashDays === null || operations.delete === undefined) continue
    const id = await makeRow(admin, entity, `deleted ${label} ${canary}`, rows)
    await callOf(admin, operations.delete, id)
    deleted[name] = id
  }
  return deleted
}

async function sessionOf(user: Client): Promise<string> {
  return (await user.get('/api/auth/sessions')).body[0].id
}

/** Of a session of the user that `names.user` names. */
async function refreshTokenOf(service: Callers, { id }: TestTenant, userName: string): Promise<string> {
  return (await service.signIn(userName, id, password)).refreshToken
}

/** Of an event of the tenant's own; nobody is there to take it, and once it is dead nothing moves by itself. */
async function deliveryOf(user: Client, canary: string): Promise<string> {
  await user.post('/api/events', { type: `${canary}.happened`, data: { [canary]: canary } })
  let found: { id: string; status: string } | undefined
  await eventually('a delivery', soonMs, async () => {
    found = JSON.parse(await readText(user, '/api/webhooks/deliveries'))[0]
    return found?.status === 'DEAD'
  })
  return found?.id ?? ''
}

async function ruleOf(user: Client, canary: string): Promise<string> {
  return addRule(user, `action.${canary}`, `${canary}.*`, canary)
}

/** Verified with a secret that holds the word as well. */
async function receiptOf(service: Callers, tenant: TestTenant, canary: string): Promise<string> {
  const secret = `secret-${canary}`
  await setProvider(tenant.admin, canary, { secret })
  const text = JSON.stringify({ id: canary, type: `${canary}.happened` })
  const headers = { [`${canary}-signature`]: signed(text, undefined, secret) }
  const answer = await send(service, tenant, text, headers, canary)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

/** Beside the lists of the entities. */
const everything = [
  '/api/products/active',
  '/api/webhooks/subscriptions',
  '/api/webhooks/providers',
  '/api/webhooks/rules',
  '/api/webhooks/receipts',
  '/api/users',
  '/api/api-keys',
  '/api/roles',
  '/api/tenants',
  '/api/auth/me',
  '/api/auth/sessions',
  '/api/tenant/settings',
  '/api/tenant/sso/domains',
  '/api/invitations',
  '/api/webhooks/portal-sessions',
  '/api/auth/passkeys',
  '/api/preferences',
  '/api/tenant/brand',
  '/api/views',
  '/api/auth/mfa',
]

const tried: ReadonlySet<string> = new Set(['token.refused', 'session.refused', 'user.passwordForgotten'])

/** Of all that the tenant sees of itself. */
export async function digestOf({ admin, user, id, names }: Victim): Promise<string> {
  const digest = createHash('sha256')
  const lists = (await readEntities(admin)).flatMap(({ operations: { list }, trashDays }) =>
    list === undefined ? [] : [list.path, ...(trashDays === null ? [] : [`${list.path}/trash`])],
  )
  for (const path of [...lists, ...everything]) digest.update(await readText(admin, path))
  digest
    .update(await readText(admin, `/api/tenants/${id}/database`))
    .update(await readText(user, '/api/auth/me'))
    .update(await readText(user, `/api/files/${names.file}`))
  // Whoever knows a tenant may try to sign in there; what was tried is all that may be added.
  const audit: { action: string }[] = JSON.parse(await readText(admin, '/api/audit?limit=200'))
  digest.update(JSON.stringify(audit.filter(({ action }) => !tried.has(action))))
  return digest.digest('hex')
}

async function readText(caller: Client, path: string): Promise<string> {
  const { status, text } = await caller.get(path)
  assert.equal(status, 200, `${path}: ${text}`)
  return text
}
