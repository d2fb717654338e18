/** Jobs with the rights of whoever enqueued them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { Type } from 'typebox'
import { type Context, enqueue, entity, type Feature, job, now, route, text, user } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import type { Client } from '../support/client.ts'
import { StillClock } from '../support/clock.ts'
import { onEachDatabase } from '../support/databases.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'

const memo = entity('memo', {
  fields: { title: text(), owner: user().optional(), region: text().optional() },
  sort: ['region'],
  access: {
    rows: {
      read: ({ row, actor }) => row.owner.is(actor.id),
      update: ({ row, actor }) => row.region.is(actor.claims('region')),
    },
  },
})

/** The test changes the rights of the caller meanwhile. */
const waitMs = 5000
const Given = Type.Object({ id: Type.String() }, { $id: 'Look' })
const seen: { found: string | null; actor: string; authority: Context['authority'] }[] = []
const look = job('memo.look', {
  data: Given,
  retrySeconds: [10],
  run: async (context, { id }) => {
    const row = await memo.find(context, id)
    seen.push({
      found: row?.title ?? null,
      actor: context.actor?.userName ?? '',
      authority: context.authority,
    })
  },
})
const looking: Feature = {
  name: 'looking',
  jobs: [look],
  routes: (['caller', 'tenant'] as const).map((as) =>
    route({
      method: 'POST',
      path: `/api/looks/${as}`,
      name: `lookAs${as}`,
      tag: 'Looks',
      summary: 'Look',
      access: as === 'caller' ? 'public' : 'user',
      impersonation: 'allowed',
      body: Given,
      status: 200,
      reply: Type.Object({ id: Type.String() }, { $id: 'Looking' }),
      handle: async (context, { body }) => ({
        id: await enqueue(context, look, body, { as, at: new Date(Date.parse(now(context)) + waitMs) }),
      }),
    }),
  ),
}

onEachDatabase('A job with the rights of its caller', (database) => {
  const clock = new StillClock()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(
      database,
      {},
      { clock: clock.now, features: [...migrated([memo]), looking], attributes: { region: text() } },
    )
    tenant = await service.newTenant()
  })
  after(() => service.stop())
  beforeEach(() => {
    seen.length = 0
  })

  const drain = () => {
    clock.advance({ seconds: 10 })
    return service.service.queueWorkers.drain()
  }
  const newUser = async () => {
    const name = uniqueName('user')
    const { body } = await tenant.admin.post('/api/users', person(name))
    return { id: body.id as string, name, client: (await service.signIn(name, tenant.id)).client }
  }
  const newMemo = async (ownerId: string) => {
    const { body } = await tenant.admin.post('/api/memos', { title: 'mine', ownerId })
    return body.id as string
  }
  const enqueueAs = async (client: Client, as: string, id: string) => {
    const { status, body, text: reply } = await client.post(`/api/looks/${as}`, { id })
    assert.equal(status, 200, reply)
    return body.id as string
  }
  const stateOf = async (id: string) => {
    const { body } = await tenant.admin.get(`/api/jobs/${id}`)
    return [body.status, body.error]
  }

  it('reaches the rows of the user, and not those of others', async () => {
    const [ada, bob] = [await newUser(), await newUser()]
    const id = await newMemo(ada.id)
    await enqueueAs(ada.client, 'caller', id)
    await enqueueAs(bob.client, 'caller', id)
    await enqueueAs(bob.client, 'tenant', id)
    await drain()
    assert.deepEqual(
      new Set(seen),
      new Set([
        { found: 'mine', actor: ada.name, authority: 'caller' },
        { found: null, actor: bob.name, authority: 'caller' },
        { found: 'mine', actor: 'memo.look', authority: 'tenant' },
      ]),
    )
  })

  it('has the rights that the user has when it runs, and fails without the user', async () => {
    const ada = await newUser()
    const id = await newMemo(ada.id)
    const jobs = [await enqueueAs(ada.client, 'caller', id), await enqueueAs(ada.client, 'caller', id)]
    await tenant.admin.patch(`/api/memos/${id}`, { ownerId: null })
    await drain()
    assert.deepEqual(
      seen.map(({ found }) => found),
      [null, null],
    )
    assert.deepEqual(await stateOf(jobs[0] ?? ''), ['SUCCEEDED', null])
    const late = await enqueueAs(ada.client, 'caller', id)
    await tenant.admin.put(`/api/users/${ada.id}`, { isActive: false })
    await drain()
    const reason = `Whoever enqueued the job is deleted or deactivated: user:${ada.id}.`
    assert.deepEqual(await stateOf(late), ['FAILING', reason])
    await tenant.admin.delete(`/api/users/${ada.id}`)
    await drain()
    assert.deepEqual(await stateOf(late), ['DEAD', reason])
    assert.equal(seen.length, 2)
  })

  it('has the rights of an API key, which ends with the key', async () => {
    const ada = await newUser()
    const id = await newMemo(ada.id)
    const keyOf = async (members: object) => {
      const made = await tenant.admin.post('/api/api-keys', { name: 'key', permissions: [], ...members })
      return { ...made.body, client: service.anonymous.with({ 'x-api-key': made.body.key }) }
    }
    const [acting, plain, revoked] = [await keyOf({ actsFor: ada.id }), await keyOf({}), await keyOf({})]
    await enqueueAs(acting.client, 'caller', id)
    await enqueueAs(plain.client, 'caller', id)
    const late = await enqueueAs(revoked.client, 'caller', id)
    await tenant.admin.delete(`/api/api-keys/${revoked.id}`)
    await drain()
    assert.deepEqual(new Set(seen.map(({ found }) => found)), new Set(['mine', null]))
    assert.deepEqual(await stateOf(late), [
      'FAILING',
      `Whoever enqueued the job is deleted or deactivated: apiKey:${revoked.id}.`,
    ])
  })

  it('needs a caller', async () => {
    const anonymous = service.anonymous.with({ 'x-tenant-id': tenant.id })
    assert.equal((await anonymous.post('/api/looks/caller', { id: 'x' })).status, 500)
  })
})
