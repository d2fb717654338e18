/** Changes of many rows: each row is done as if by its own request, and reported. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { entity, integer, oneOf, reference, ServiceError, text, user } from '../../../src/index.ts'
import type { Answer, Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventsOf } from '../../support/orders.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { migrated } from '../migrated.ts'

const canary = 'canary-7d1f'

const task = entity('task', {
  fields: {
    title: text(),
    code: text().optional(),
    state: oneOf('open', 'closed').default('open'),
    weight: integer().default(1),
    secret: text().optional(),
    owner: user().optional(),
  },
  unique: [['code']],
  search: ['title'],
  hooks: {
    beforeChange: ({ title }) => {
      if (title === 'stuck') throw new ServiceError('invalid', 'A stuck task does not change.')
      if (title === 'broken') throw new Error('the reason stays inside')
    },
  },
  actions: {
    close: {
      from: { state: 'open' },
      to: { state: 'closed' },
      input: Type.Object({ code: Type.String({ maxLength: 10 }) }),
      run: (_, { input }) => ({ code: (input as { code: string }).code }),
    },
    sign: { to: {}, impersonation: 'refused' },
    fill: {
      run: async ({ title }, { context }) => {
        for (let n = 0; n < 1001; n++) await task.create(context, { title: `${title} ${n}`, weight: 77 })
        return {}
      },
    },
  },
  access: {
    delete: 'admin',
    fields: { secret: { read: 'task:secret', write: 'task:secret' } },
    rows: {
      read: ({ row, actor }) => row.owner.is(actor.id),
      create: ({ row, actor }) => row.owner.is(actor.id),
      update: ({ row, actor }) => row.owner.is(actor.id),
      delete: ({ row, actor }) => row.owner.is(actor.id),
    },
  },
})
const part = entity('part', { fields: { task: reference(task) } })

interface Report {
  id: string
  status: string
  etag?: string
  error?: { status: number; code: string; detail: string }
}

onEitherDatabase('Many rows of an entity', (database) => {
  let service: TestService
  let tenant: TestTenant
  let other: TestTenant
  let ada: Client
  let adaId: string
  before(async () => {
    service = await startService(database, {}, { features: migrated([task, part]) })
    tenant = await service.newTenant()
    other = await service.newTenant()
    adaId = (await tenant.admin.post('/api/users', person('ada'))).body.id
    ada = (await service.signIn('ada', tenant.id)).client
  })
  after(() => service.stop())

  const make = async (title: string, more: object = {}, client = tenant.admin): Promise<string> => {
    const made = await client.post('/api/tasks', { title, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const makeAll = (titles: readonly string[], more: object = {}) =>
    Promise.all(titles.map((title) => make(title, more)))
  const bulk = (body: object, client = tenant.admin, headers: Record<string, string> = {}) =>
    client.post('/api/tasks/bulk', body, headers)
  const row = async (id: string) => tenant.admin.get(`/api/tasks/${id}`)
  const reported = ({ body, text: whole }: Answer): Report[] => {
    assert.ok(Array.isArray(body.rows), whole)
    return body.rows
  }
  const outcomes = (answer: Answer) =>
    reported(answer).map(({ status, error }) =>
      error === undefined ? status : `${error.status} ${error.code}`,
    )

  it('are changed, each with its version, its event and its audit record', async () => {
    const ids = await makeAll(['a', 'b', 'c', 'd', 'e', 'f'])
    const answer = await bulk({ ids, do: 'change', input: { weight: 9 } })
    assert.equal(answer.status, 200, answer.text)
    const { rows, ...counts } = answer.body
    assert.deepEqual(counts, { done: 6, failed: 0, remaining: 0 })
    for (const [index, id] of ids.entries()) {
      const stored = await row(id)
      assert.deepEqual(rows[index], { id, status: 'done', etag: stored.headers.get('etag') })
      assert.equal(stored.body.weight, 9)
      const { body: audited } = await tenant.admin.get(`/api/audit?subjectId=${id}&limit=10`)
      const actions = audited.map(({ action }: { action: string }) => action)
      assert.deepEqual(actions, ['task.updated', 'task.created'])
    }
    const events = await eventsOf(service, tenant.id)
    const told = events.filter(({ type }) => type === 'task.updated').map(({ data }) => data['taskId'])
    for (const id of ids) assert.equal(told.filter((each) => each === id).length, 1)
  })

  it('that fail do not stop the others, and say why as a request of their own would', async () => {
    await make('first', { code: 'taken' })
    const foreign = await make('foreign', {}, other.admin)
    const ofAda = { ownerId: adaId }
    const [fine = '', stuck = '', broken = '', stale = '', last = ''] = await makeAll(
      ['fine', 'stuck', 'broken', 'stale', 'last'],
      ofAda,
    )
    const hidden = await make('hidden')
    const missing = randomUUID()
    const ids = [fine, missing, foreign, hidden, stuck, broken, stale, last.toUpperCase()]
    const { headers } = await row(stale)
    const versions = { [stale.toUpperCase()]: headers.get('etag'), [last]: '*' }
    await tenant.admin.patch(`/api/tasks/${stale}`, { weight: 5 })
    const answer = await bulk({ ids, do: 'change', input: { weight: 4 }, versions }, ada)
    assert.deepEqual(outcomes(answer), [
      'done',
      '404 noSuch',
      '404 noSuch',
      '404 noSuch',
      '400 invalid',
      '500 internal',
      '412 preconditionFailed',
      'done',
    ])
    assert.deepEqual([answer.body.done, answer.body.failed], [2, 6])
    assert.doesNotMatch(answer.text, /the reason stays inside/)
    const alone = await ada.patch(`/api/tasks/${stuck}`, { weight: 4 })
    assert.equal(reported(answer)[4]?.error?.detail, alone.body.message)
    assert.equal((await row(stale)).body.weight, 5)
    assert.equal((await row(hidden)).body.weight, 1)
    assert.equal((await row(last)).body.weight, 4)
    const unique = await bulk({ ids: [fine, last], do: 'change', input: { code: 'taken' } })
    assert.deepEqual(outcomes(unique), ['400 invalid', '400 invalid'])
  })

  it('take actions with their input, and only in their state', async () => {
    const ids = await makeAll(['x', 'y'])
    await tenant.admin.post(`/api/tasks/${ids[0]}/close`, { code: 'was' })
    const answer = await bulk({ ids, do: 'close', input: { code: 'now' } })
    assert.deepEqual(outcomes(answer), ['400 otherState', 'done'])
    assert.equal((await row(ids[1] ?? '')).body.code, 'now')
  })

  it('are deleted, unless others refer to them or the caller may not', async () => {
    const ids = await makeAll(['x', 'y', 'z'], { ownerId: adaId })
    await tenant.admin.post('/api/parts', { taskId: ids[1] })
    assert.equal((await bulk({ ids, do: 'delete' }, ada)).status, 403)
    assert.deepEqual(outcomes(await bulk({ ids, do: 'delete' })), ['done', '400 inUse', 'done'])
    assert.equal((await row(ids[0] ?? '')).status, 404)
    assert.equal((await row(ids[1] ?? '')).status, 200)
  })

  it('are those that the filters and the search of the list find, of which the caller has seen as many', async () => {
    const ids = await makeAll(['blue one', 'blue two', 'blue three', 'green'], { weight: 31 })
    const query = { search: 'BLUE', weight: 31 }
    const change = { do: 'change', input: { state: 'closed' } }
    for (const count of [2, 4, 0, 1000]) {
      const refused = await bulk({ query, count, ...change }, tenant.admin, {
        accept: 'application/problem+json',
      })
      assert.deepEqual([refused.status, refused.body.code], [409, 'countChanged'])
      assert.deepEqual(refused.body.errors, [
        { pointer: '#/count', detail: 'is 3 now', code: 'changed', parameters: { present: 3 } },
      ])
    }
    const answer = await bulk({ query, count: 3, ...change })
    assert.deepEqual(
      reported(answer)
        .map(({ id }) => id)
        .toSorted(),
      ids.slice(0, 3).toSorted(),
    )
    assert.equal(answer.body.done, 3)
    assert.equal((await row(ids[3] ?? '')).body.state, 'open')
    const none = await bulk({ query: { ...query, state: 'open' }, count: 0, ...change })
    assert.deepEqual(none.body, { done: 0, failed: 0, remaining: 0, rows: [] })
    const ofAda = await bulk({ query: { weight: 31 }, count: 0, ...change }, ada)
    assert.equal(ofAda.body.done, 0, 'rows that the caller does not reach are neither counted nor changed')
  })

  it('are at most a thousand of a query, and the reply says how many remain', async () => {
    const filler = await make('filler')
    assert.equal((await tenant.admin.post(`/api/tasks/${filler}/fill`)).status, 200)
    const query = { weight: 77 }
    const first = await bulk({ query, count: 1100, do: 'delete' })
    assert.deepEqual([first.body.done, first.body.remaining], [1000, 1], first.text.slice(0, 300))
    const second = await bulk({ query, count: 1, do: 'delete' })
    assert.deepEqual([second.body.done, second.body.remaining], [1, 0])
  })

  it('are refused as a whole for input that no row could have', async () => {
    const ids = [await make('one')]
    const change = { do: 'change', input: { weight: 2 } }
    const many = Array.from({ length: 1001 }, () => randomUUID())
    const faulty: [object, RegExp][] = [
      [change, /either ids or query/],
      [{ ids, query: {}, count: 1, ...change }, /either ids or query/],
      [{ ids: many, ...change }, /ids/],
      [{ ids: [], ...change }, /ids/],
      [{ ids: ['x'], ...change }, /ids/],
      [{ ids: [...ids, ids[0]?.toUpperCase()], ...change }, /once/],
      [{ ids, do: 'explode' }, /do: must be one of/],
      [{ ids, ...change, everything: true }, /everything/],
      [{ ids, do: 'change', input: { weight: 'heavy' } }, /weight/],
      [{ ids, do: 'close', input: {} }, /code: is required/],
      [{ ids, do: 'delete', input: { weight: 1 } }, /input: delete takes none/],
      [{ query: { wieght: 1 }, count: 1, ...change }, /query\.wieght/],
      [{ query: { weight: 'heavy' }, count: 1, ...change }, /weight/],
      [{ query: { search: 1 }, count: 1, ...change }, /query\.search/],
      [{ query: {}, ...change }, /count: is required/],
    ]
    for (const [body, reason] of faulty) {
      const answer = await bulk(body)
      assert.equal(answer.status, 400, `${JSON.stringify(body).slice(0, 100)}: ${answer.text.slice(0, 200)}`)
      assert.match(answer.body.message, reason)
    }
    assert.equal((await row(ids[0] ?? '')).body.weight, 1)
    assert.equal((await service.anonymous.post('/api/tasks/bulk', { ids, ...change })).status, 401)
  })

  it('tell nothing of members that the caller does not read, nor let them be written or asked for', async () => {
    const id = await make('kept', { secret: canary, ownerId: adaId })
    const written = await bulk({ ids: [id], do: 'change', input: { secret: 'mine' } }, ada)
    assert.deepEqual(outcomes(written), ['403 fieldPermissionLacking'])
    const asked = await bulk({ query: { secret: canary }, count: 1, do: 'change', input: { weight: 2 } }, ada)
    assert.equal(asked.status, 403, asked.text)
    const fine = await bulk({ ids: [id], do: 'change', input: { weight: 2 } }, ada)
    assert.deepEqual(outcomes(fine), ['done'])
    const stored = await row(id)
    assert.deepEqual([stored.body.secret, stored.body.weight], [canary, 2])
    for (const { text: told } of [written, asked, fine]) assert.doesNotMatch(told, new RegExp(canary))
  })

  it('are done once for an Idempotency-Key, also those that a query has found', async () => {
    const ids = await makeAll(['k1', 'k2', 'k3'], { weight: 55 })
    const key = { 'idempotency-key': randomUUID() }
    const body = { query: { weight: 55 }, count: 3, do: 'change', input: { weight: 56 } }
    const first = await bulk(body, tenant.admin, key)
    assert.equal(first.body.done, 3, first.text)
    const again = await bulk(body, tenant.admin, key)
    assert.equal(again.status, 200, again.text)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    for (const [index, id] of ids.entries())
      assert.equal((await row(id)).headers.get('etag'), first.body.rows[index].etag)
    assert.equal((await bulk({ ...body, count: 2 }, tenant.admin, key)).status, 422)
  })

  it('are not acted on by who acts as a user, where the action refuses that', async () => {
    const ids = [await make('signed', { ownerId: adaId })]
    const { body } = await service.host.post('/api/users', person('helped'))
    const acting = await service.host.post(`/api/users/${body.id}/impersonate`, { reason: 'Ticket 1' })
    const client = service.anonymous.withToken(acting.body.accessToken)
    assert.equal((await bulk({ ids, do: 'sign' }, client)).status, 403)
    assert.deepEqual(outcomes(await bulk({ ids, do: 'change', input: {} }, client)), ['404 noSuch'])
    assert.deepEqual(outcomes(await bulk({ ids, do: 'sign' })), ['done'])
  })
})
