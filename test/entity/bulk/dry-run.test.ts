/** Many new rows in one request, and requests that are tried without a trace. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { entity, integer, reference, sequence, text, user } from '../../../src/index.ts'
import type { Answer, Client } from '../../support/client.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventsOf } from '../../support/orders.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { migrated } from '../migrated.ts'

const box = entity('box', {
  fields: {
    number: sequence(),
    label: text({ max: 10 }),
    code: text().optional(),
    weight: integer().default(1),
    secret: text().optional(),
    owner: user().optional(),
  },
  unique: [['code']],
  history: true,
  trash: { days: 30 },
  actions: { weigh: { to: { weight: 5 } } },
  access: {
    fields: { secret: { write: 'box:secret' } },
    rows: ({ row, actor }) => row.owner.is(actor.id),
  },
})
const lid = entity('lid', { fields: { box: reference(box) } })

/** The turns of the event loop in which rows were created. */
const turnsOfBags: number[] = []
let turn = 0
const bag = entity('bag', {
  fields: { label: text() },
  hooks: {
    beforeCreate: (row) => {
      turnsOfBags.push(turn)
      return row
    },
  },
})

interface Report {
  id?: string
  status: string
  etag?: string
  error?: { code: string; detail: string; errors?: { pointer: string; code: string }[] }
}

onEachDatabase('A request for many rows', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: Client
  let adaId: string
  before(async () => {
    service = await startService(database, {}, { features: migrated([box, lid, bag]) })
  })
  after(() => service.stop())

  const begin = async () => {
    tenant = await service.newTenant()
    adaId = (await tenant.admin.post('/api/users', person('ada'))).body.id
    ada = (await service.signIn('ada', tenant.id)).client
  }
  const bulk = async (body: object, client = tenant.admin, headers: Record<string, string> = {}) => {
    const answer = await client.post('/api/boxes/bulk', body, headers)
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const reports = ({ body }: Answer): Report[] => body.rows
  const outcomes = (answer: Answer) =>
    reports(answer).map(({ status, error }) => error?.errors?.[0]?.pointer ?? error?.code ?? status)
  const boxes = async () => (await tenant.admin.get('/api/boxes')).body
  /** All that a change leaves behind. */
  const traces = async () => ({
    boxes: await boxes(),
    trash: (await tenant.admin.get('/api/boxes/trash')).body,
    audit: (await tenant.admin.get('/api/audit?limit=100')).body,
    events: (await eventsOf(service, tenant.id)).map(({ type }) => type),
  })
  const rows = [
    { label: 'one', code: 'a' },
    { label: 'far too long a label' },
    { label: 'two', code: 'a' },
    { label: 'three', weight: 'heavy', colour: 'red' },
    { label: 'four', ownerId: randomUUID() },
    { label: 'five', code: 'b' },
  ]
  const expected = ['done', '#/label', '#/code', '#/weight', '#/ownerId', 'done']

  it('creates them, each with its event and its audit record, and reports what is refused', async () => {
    await begin()
    const answer = await bulk({ do: 'create', rows })
    assert.deepEqual(outcomes(answer), expected)
    assert.deepEqual([answer.body.done, answer.body.failed, answer.body.remaining], [2, 4, 0])
    const stored = await boxes()
    assert.deepEqual(stored.map(({ label }: { label: string }) => label).toSorted(), ['five', 'one'])
    const [one] = reports(answer)
    const alone = await tenant.admin.get(`/api/boxes/${one?.id}`)
    assert.deepEqual([alone.body.label, alone.headers.get('etag')], ['one', one?.etag])
    const { events, audit } = await traces()
    assert.equal(events.filter((type) => type === 'box.created').length, 2)
    assert.equal(audit.filter(({ action }: { action: string }) => action === 'box.created').length, 2)
  })

  it('creates them once for an Idempotency-Key', async () => {
    await begin()
    const key = { 'idempotency-key': randomUUID() }
    const body = { do: 'create', rows: [{ label: 'once' }, { label: 'too' }] }
    const [first, again] = [await bulk(body, tenant.admin, key), await bulk(body, tenant.admin, key)]
    assert.deepEqual(again.body, first.body)
    assert.equal((await boxes()).length, 2)
  })

  it('tells in a dry run what would become of each row, and leaves no trace', async () => {
    await begin()
    await bulk({ do: 'create', rows: [{ label: 'kept', code: 'kept' }] })
    const earlier = await traces()
    const key = { 'idempotency-key': randomUUID() }
    const body = { do: 'create', rows: [...rows, { label: 'six', code: 'kept' }], dryRun: true }
    const tried = await bulk(body, tenant.admin, key)
    assert.deepEqual(outcomes(tried), [...expected, '#/code'])
    assert.deepEqual([tried.body.done, tried.body.failed], [2, 5])
    for (const { id, etag } of reports(tried)) assert.deepEqual([id, etag], [undefined, undefined])
    assert.deepEqual(await traces(), earlier)

    const real = await bulk({ ...body, dryRun: false }, tenant.admin, key)
    assert.deepEqual(outcomes(real), outcomes(tried), 'the key is free, and the report was right')
    const numbers = (await boxes()).map(({ number }: { number: number }) => number)
    assert.deepEqual(numbers.toSorted(), [1, 2, 3], 'no number was used up')
  })

  it('tries changes, deletions and actions as well', async () => {
    await begin()
    const made = await bulk({
      do: 'create',
      rows: [{ label: 'p', code: 'p' }, { label: 'q' }, { label: 'r' }],
    })
    const ids = reports(made).map(({ id }) => id)
    await tenant.admin.post('/api/lids', { boxId: ids[2] })
    const earlier = await traces()
    const change = await bulk({ do: 'change', ids, input: { code: 'x' }, dryRun: true })
    assert.deepEqual(outcomes(change), ['done', '#/code', '#/code'], 'only one can have the value')
    assert.deepEqual(outcomes(await bulk({ do: 'delete', ids, dryRun: true })).slice(0, 2), ['done', 'done'])
    assert.equal(reports(await bulk({ do: 'delete', ids, dryRun: true }))[2]?.status, 'failed')
    const found = await bulk({ do: 'weigh', query: {}, count: 3, dryRun: true })
    assert.deepEqual(outcomes(found), ['done', 'done', 'done'])
    assert.deepEqual(await traces(), earlier)
  })

  it('creates and tries what the caller may create, and nothing else', async () => {
    await begin()
    const own = { label: 'own', ownerId: adaId }
    const of = [own, { label: 'of none' }, { ...own, secret: 'x' }]
    for (const dryRun of [true, false]) {
      const answer = await bulk({ do: 'create', rows: of, dryRun }, ada)
      assert.deepEqual(
        reports(answer).map(({ status }) => status),
        ['done', 'failed', 'failed'],
      )
    }
    assert.equal((await boxes()).length, 1)
    await tenant.admin.post('/api/roles', { name: 'Guest', permissions: ['box:read'] })
    await tenant.admin.post('/api/users', person('guest', { roles: ['Guest'] }))
    const { client } = await service.signIn('guest', tenant.id)
    const refused = await client.post('/api/boxes/bulk', { do: 'create', rows: [own], dryRun: true })
    assert.equal(refused.status, 403, refused.text)
  })

  it('is refused as a whole where rows are missing, or given for something else', async () => {
    await begin()
    const ids = [randomUUID()]
    for (const [body, reason] of [
      [{ do: 'create' }, /rows: is required/],
      [{ do: 'create', rows: [] }, /rows/],
      [{ do: 'create', rows: ['x'] }, /rows/],
      [{ do: 'create', rows: [{ label: 'x' }], ids }, /ids: is not for rows/],
      [{ do: 'create', rows: [{ label: 'x' }], input: {} }, /input: is not for rows/],
      [{ do: 'weigh', ids, rows: [{ label: 'x' }] }, /rows: are of create/],
      [{ do: 'weigh', ids, dryRun: 'yes' }, /dryRun/],
    ] as const) {
      const { status, body: reply, text: whole } = await tenant.admin.post('/api/boxes/bulk', body)
      assert.equal(status, 400, whole)
      assert.match(reply.message, reason)
    }
  })

  it('lets others have their turn between the rows that it tries', async () => {
    await begin()
    turnsOfBags.length = 0
    let isOver = false
    const count = () => {
      turn++
      if (!isOver) setImmediate(count)
    }
    count()
    const rowsOfBags = Array.from({ length: 1000 }, (_, index) => ({ label: `bag ${index}` }))
    const { status } = await tenant.admin.post('/api/bags/bulk', {
      do: 'create',
      dryRun: true,
      rows: rowsOfBags,
    })
    isOver = true
    assert.equal(status, 200)
    assert.ok(new Set(turnsOfBags).size >= 3, `${turnsOfBags.length} rows in too few turns`)
  })
})
