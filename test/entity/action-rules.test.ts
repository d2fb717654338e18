/** An action with a rule of rows of its own: who may do it is not who may change the row. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { any, entity, money, oneOf, text, user } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { person, startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const expense = entity('expense', {
  fields: {
    amount: money(),
    spender: user(),
    approver: user(),
    reviewer: user().optional(),
    remark: text().optional(),
    state: oneOf('open', 'approved', 'seen').default('open').readOnly(),
  },
  actions: {
    approve: {
      from: { state: 'open' },
      to: { state: 'approved' },
      run: ({ amount }) => ({ remark: `approved ${amount}` }),
    },
    withdraw: { to: { state: 'open' } },
    review: { to: { state: 'seen' } },
    passOn: { to: { reviewerId: null } },
  },
  access: {
    rows: {
      read: ({ row, actor }) =>
        any(row.spender.is(actor.id), row.approver.is(actor.id), row.reviewer.is(actor.id)),
      create: ({ row, actor }) => row.spender.is(actor.id),
      update: ({ row, actor }) => row.spender.is(actor.id),
      approve: ({ row, actor }) => row.approver.is(actor.id),
      review: ({ row, actor }) => any(row.approver.is(actor.id), actor.may('expense:review')),
      passOn: ({ row, actor }) => row.reviewer.is(actor.id),
    },
  },
})

/** Whoever approves need not see afterwards what the rule of reading gives. */
const letter = entity('letter', {
  fields: { text: text(), author: user(), state: oneOf('draft', 'sent').default('draft').readOnly() },
  sort: ['state'],
  actions: { send: { to: { state: 'sent' } } },
  access: {
    rows: {
      read: ({ row, actor }) => any(row.author.is(actor.id), row.state.is('draft')),
      create: ({ row, actor }) => row.author.is(actor.id),
      send: ({ row }) => row.state.is('draft'),
      keep: ({ actor }) => actor.may('letter:write'),
    },
  },
})

onEachDatabase('Rules of rows of single actions', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: Client
  let bob: Client
  let eve: Client
  const ids: Record<string, string> = {}

  before(async () => {
    service = await startService(database, {}, { features: migrated([expense, letter]) })
    tenant = await service.newTenant()
    for (const name of ['ada', 'bob', 'eve']) {
      const { body } = await tenant.admin.post('/api/users', person(name))
      ids[name] = body.id
    }
    ;[ada, bob, eve] = (await Promise.all(
      ['ada', 'bob', 'eve'].map(async (name) => (await service.signIn(name, tenant.id)).client),
    )) as [Client, Client, Client]
  })
  after(() => service.stop())

  const made = async (more: object = {}): Promise<string> => {
    const input = { amount: 12, spenderId: ids['ada'], approverId: ids['bob'], ...more }
    const { status, body, text: told } = await ada.post('/api/expenses', input)
    assert.equal(status, 201, told)
    return `/api/expenses/${body.id}`
  }
  const stored = async (path: string) => (await tenant.admin.get(path)).body

  it('give the action to those of the rule alone, and write what it decides', async () => {
    const path = await made()
    const before_ = await stored(path)
    const refused = await ada.post(`${path}/approve`)
    assert.deepEqual([refused.status, refused.text.includes('approver')], [403, false])
    assert.deepEqual(await stored(path), before_)
    assert.equal((await bob.patch(path, { amount: 1 })).status, 403)
    const { status, body } = await bob.post(`${path}/approve`)
    assert.deepEqual([status, body.state, body.remark], [200, 'approved', 'approved 12'])
    const { state, remark } = await stored(path)
    assert.deepEqual([state, remark], ['approved', 'approved 12'])
  })

  it('leave a new row to the rule of creating, though it may stay in reach of its maker', async () => {
    const count = async () => (await tenant.admin.get('/api/letters?limit=100')).body.length
    const before_ = await count()
    const { status, text: told } = await bob.post('/api/letters', { text: 'x', authorId: ids['ada'] })
    assert.equal(status, 403, told)
    assert.equal(await count(), before_)
    assert.equal((await bob.post('/api/letters', { text: 'x', authorId: ids['bob'] })).status, 201)
  })

  it('are not asked of a row out of reach, which is none', async () => {
    const path = await made()
    const [own, unknown] = await Promise.all([
      eve.post(`${path}/approve`),
      eve.post(`/api/expenses/${randomUUID()}/approve`),
    ])
    assert.deepEqual([own.status, own.text], [404, unknown.text])
  })

  it('leave the rule of a change to actions without one', async () => {
    const path = await made()
    assert.equal((await bob.post(`${path}/withdraw`)).status, 403)
    assert.equal((await ada.post(`${path}/withdraw`)).status, 200)
  })

  it('hold in GraphQL', async () => {
    const id = (await made()).split('/').at(-1)
    const approve = (client: Client) =>
      client.post('/graphql', { query: `mutation { approveExpense(id: "${id}") { state } }` })
    const { body: refused } = await approve(ada)
    assert.equal(refused.errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED')
    assert.deepEqual((await approve(bob)).body.data, { approveExpense: { state: 'approved' } })
  })

  it('grant what a permission in them grants, which roles can give', async () => {
    const path = await made({ reviewerId: ids['eve'] })
    assert.equal((await eve.post(`${path}/review`)).status, 403)
    const permissions = ['expense:read', 'expense:write', 'expense:review']
    assert.equal((await tenant.admin.post('/api/roles', { name: 'Reviewer', permissions })).status, 201)
    const { body: gus } = await tenant.admin.post('/api/users', person('gus', { roles: ['Reviewer'] }))
    const other = await made({ reviewerId: gus.id })
    const { client } = await service.signIn('gus', tenant.id)
    assert.equal((await client.post(`${other}/review`)).status, 200)
    assert.equal((await tenant.admin.post(`${path}/review`)).status, 200)
  })

  it('keep the row in reach: what the action wrote is tested by reading, and by its rule', async () => {
    const path = await made({ reviewerId: ids['eve'] })
    const before_ = await stored(path)
    assert.equal((await eve.post(`${path}/passOn`)).status, 403)
    assert.deepEqual(await stored(path), before_)
  })

  it('let the row leave where keep says so', async () => {
    const { body } = await ada.post('/api/letters', { text: 'Dear all', authorId: ids['ada'] })
    const { status, text: told } = await eve.post(`/api/letters/${body.id}/send`)
    assert.deepEqual([status, told], [204, ''])
    assert.equal((await stored(`/api/letters/${body.id}`)).state, 'sent')
  })
})
