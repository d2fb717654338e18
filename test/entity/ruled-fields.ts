/** Tickets with fields that only some callers read or write, and callers that differ in their permissions alone. */
import assert from 'node:assert/strict'
import { Type } from 'typebox'
import {
  asTenant,
  type Context,
  entity,
  type Feature,
  integer,
  many,
  money,
  never,
  oneOf,
  reference,
  reveal,
  route,
  text,
} from '../../src/index.ts'
import type { Answer, Client } from '../support/client.ts'
import type { DatabaseName } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'
import { migrated } from './migrated.ts'

export const client = entity('client', {
  fields: { name: text(), secret: text().optional() },
  search: ['name', 'secret'],
  access: { list: 'public', fields: { secret: { read: 'client:secret' } } },
})

export const ticket = entity('ticket', {
  fields: {
    title: text(),
    note: text({ max: 100 }).optional(),
    cost: money().default(0),
    client: reference(client),
    auditor: reference(client).optional(),
    rating: integer().default(3),
    stars: integer().computed(),
    total: integer().computed(),
    state: oneOf('open', 'closed').default('open'),
    stage: oneOf('early', 'late').default('early'),
    code: text().optional(),
    priority: integer().optional(),
    lines: many({ label: text(), price: integer().default(0) }).optional(),
  },
  search: ['title', 'note'],
  sort: ['createdAt', 'rating'],
  unique: [['code']],
  access: {
    fields: {
      note: { read: 'ticket:internal', write: 'ticket:internal' },
      cost: { write: never },
      client: { write: 'once' },
      auditor: { read: 'ticket:internal' },
      rating: { read: 'rating:see' },
      stars: { read: 'rating:see' },
      total: { reveals: ['rating'] },
      stage: { read: 'ticket:internal' },
      code: { read: 'ticket:internal' },
      priority: { write: 'ticket:plan' },
      'lines.price': { read: 'ticket:internal' },
    },
  },
  compute: {
    stars: ({ rating }) => rating * 10,
    total: ({ rating }) => Math.sign(rating),
  },
  hooks: {
    beforeCreate: ({ cost }) => ({ cost: cost + 7 }),
  },
  actions: {
    close: { from: { state: 'open' }, to: { state: 'closed', cost: 99 } },
    finish: { from: { stage: 'late' }, to: { state: 'closed', stage: 'late' } },
    annotate: {
      input: Type.Object({ text: Type.String() }),
      event: 'annotated',
      run: (_row, { input }) => ({ note: input.text }),
    },
  },
  payload: { closed: ['title', reveal('note')] },
})

/** Whose callers may leave a required member to code, which gives it to some rows only. */
export const gauge = entity('gauge', {
  fields: { label: text(), serial: text() },
  access: { fields: { serial: { write: 'gauge:serial' } } },
  hooks: { beforeCreate: ({ label, serial }) => (label === 'known' ? { serial: serial ?? 'by code' } : {}) },
})

/** Routes of an application: with the rights of the caller, and with those of the tenant. */
const byHand: Feature = {
  name: 'byHand',
  routes: (['own', 'whole'] as const).flatMap((name) => {
    const as = (context: Context) => (name === 'own' ? context : asTenant(context))
    const common = { path: `/api/${name}-tickets/:id`, tag: 'Tickets', status: 200 } as const
    return [
      route({
        ...common,
        method: 'GET',
        summary: 'Get a ticket',
        access: 'ticket:read',
        handle: (context, { path }) => ticket.find(as(context), path['id'] ?? ''),
      }),
      route({
        ...common,
        method: 'POST',
        summary: 'Mark a ticket',
        access: 'ticket:write',
        handle: (context, { path }) => ticket.change(as(context), path['id'] ?? '', { cost: 12 }),
      }),
    ]
  }),
}

export const ruledFeatures: Feature[] = [...migrated([client, ticket, gauge]), byHand]

export const allOfThem = ['ticket:internal', 'rating:see', 'client:secret', 'ticket:plan'] as const
const usual = ['ticket:read', 'ticket:write', 'client:read', 'client:write', 'audit:read', 'event:read']

export interface Callers {
  service: TestService
  tenant: TestTenant
  /** With every permission of the rules. */
  insider: Client
  /** With none of them. */
  outsider: Client
}

export async function startRuled(database: DatabaseName): Promise<Callers> {
  const service = await startService(database, {}, { features: ruledFeatures })
  return callersOf(service)
}

/** Of a new tenant. */
export async function callersOf(service: TestService): Promise<Callers> {
  const tenant = await service.newTenant()
  const known: string[] = await knownOf(tenant.admin)
  const insider = await callerWith(
    service,
    tenant,
    [...usual, ...allOfThem].filter((name) => known.includes(name)),
  )
  const outsider = await callerWith(
    service,
    tenant,
    usual.filter((name) => known.includes(name)),
  )
  return { service, tenant, insider, outsider }
}

async function knownOf(admin: Client): Promise<string[]> {
  const { body } = await admin.get('/api/permissions')
  return body.map(({ name }: { name: string }) => name)
}

/** A new user of the tenant whose role grants these permissions alone. */
export async function callerWith(
  service: TestService,
  tenant: TestTenant,
  permissions: readonly string[],
): Promise<Client> {
  return (await service.signIn(await userWith(tenant, permissions), tenant.id)).client
}

/** @returns the user name */
export async function userWith(tenant: TestTenant, permissions: readonly string[]): Promise<string> {
  const role = uniqueName('Role')
  const made = await tenant.admin.post('/api/roles', { name: role, permissions })
  assert.equal(made.status, 201, made.text)
  const userName = uniqueName('user')
  const user = await tenant.admin.post('/api/users', person(userName, { roles: [role] }))
  assert.equal(user.status, 201, user.text)
  return userName
}

export const ticketPath = '/api/tickets'
export const hiddenNote = 'note: reading it requires the permission ticket:internal.'

export async function graphql(caller: Client, query: string): Promise<Answer['body']> {
  return (await caller.post('/graphql', { query })).body
}

/** Leaves only these permissions to the role of a caller. */
export async function narrow(
  tenant: TestTenant,
  caller: Client,
  permissions: readonly string[],
): Promise<void> {
  const { body: me } = await caller.get('/api/auth/me')
  const narrowed = await tenant.admin.put(`/api/roles/${me.roles[0]}`, { permissions })
  assert.equal(narrowed.status, 200, narrowed.text)
  await eventually('the narrower role', soonMs, async () => {
    const { body } = await caller.get('/api/auth/me')
    return !body.permissions.includes('ticket:internal')
  })
}
