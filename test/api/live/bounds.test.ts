/** What callers send that cannot be followed, or only at a cost. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { LiveReader } from './live-reader.ts'
import { taskApp } from './task-app.ts'

onEachDatabase('Lists that are followed', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { ...taskApp, liveLimits: { tenantUnindexed: 100 } })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const many = (count: number, list: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, place) => [`${place}`, list]))
  const ofState = { entity: 'task', filter: { state: 'open' }, fields: 'id' }

  async function made(path: string, body: object): Promise<string> {
    const { status, text, body: row } = await tenant.admin.post(path, body)
    assert.equal(status, 201, text)
    return row.id
  }

  it('are a hundred in a stream, and without an equality a hundred of a tenant', async () => {
    await using live = await LiveReader.open(tenant.admin, many(100, ofState))
    assert.equal(live.ready.list.length, 100)
    assertError(await tenant.admin.post('/api/live', { lists: many(101, ofState) }), 400)
    await using ranges = await LiveReader.open(tenant.admin, many(100, { entity: 'notice' }))
    assert.equal(ranges.ready.list.length, 100)
    assertError(await tenant.admin.post('/api/live', { lists: many(1, { entity: 'notice' }) }), 429)
    const other = await service.newTenant()
    await using elsewhere = await LiveReader.open(other.admin, many(1, { entity: 'notice' }))
    assert.equal(elsewhere.ready.list.length, 1)
  })

  it('are read again after a cursor of the future', async () => {
    const place = (await tenant.admin.get('/api/notices')).headers.get('live-cursor') ?? ''
    const [time, digest, cursor = ''] = place.split('.')
    const present = Buffer.from(cursor, 'base64url').toString()
    const future = database === 'sqlite' ? '9007199254740991' : `${present.split('/')[0]}/${9e15}:${9e15}:`
    const cursorAhead = `${time}.${digest}.${Buffer.from(future).toString('base64url')}`
    await using live = await LiveReader.open(tenant.admin, { all: { entity: 'notice' } }, cursorAhead)
    assert.deepEqual((await live.next()).data, { list: ['all'], reason: 'unknown' })
    const id = await made('/api/notices', { text: 'Now' })
    assert.equal((await live.change()).id, id)
  })

  it('are refused for values that a list refuses, and leave the service undisturbed', async () => {
    const filters = [{ rank: 'x' }, { rank: 1e300 }, { ownerId: 'x' }, { 'title[contains]': 'x'.repeat(900) }]
    const lists = Object.fromEntries(
      filters.map((filter, place) => [`${place}`, { entity: 'task', filter, fields: 'id' }]),
    )
    await using live = await LiveReader.open(tenant.admin, lists)
    assert.deepEqual([live.ready.list, Object.keys(live.ready.refused)], [['3'], ['0', '1', '2']])
    const long = { all: { entity: 'task', filter: { 'title[contains]': 'x'.repeat(10_000) } } }
    assertError(await tenant.admin.post('/api/live', { lists: long }), 400)
    assertError(
      await tenant.admin.post('/api/live', { lists: { all: ofState }, after: 'x'.repeat(12_001) }),
      400,
    )
  })

  it('have names of 64 characters, whatever they mean elsewhere', async () => {
    const names = ['__proto__', 'constructor', 'a\nb', 'x'.repeat(64)]
    const lists = (list: unknown) => Object.fromEntries(names.map((name) => [name, list]))
    await using live = await LiveReader.open(tenant.admin, lists(ofState))
    assert.deepEqual(live.ready.list, names)
    const refused = lists({ entity: 'nothing' })
    await using some = await LiveReader.open(tenant.admin, { ...refused, good: ofState })
    assert.deepEqual([some.ready.list, Object.keys(some.ready.refused)], [['good'], names])
    assertError(await tenant.admin.post('/api/live', { lists: refused }), 404)
    for (const name of ['', 'x'.repeat(65), '\n'.repeat(65)])
      assertError(await tenant.admin.post('/api/live', { lists: { [name]: ofState } }), 400)
    for (const list of [5, null, [], {}, { entity: {} }, { entity: 'task', fields: 5 }])
      assertError(await tenant.admin.post('/api/live', { lists: { 'a\nb': list } }), 400)
  })

  it('are described by 4 KiB each and 64 KiB together, in bytes', async () => {
    const described = (character: string, times: number) => ({
      ...ofState,
      filter: { state: 'open', 'title[contains]': character.repeat(times), due: character.repeat(times) },
    })
    const lists = { few: described('x', 900), bytes: described('€', 1000), many: described('😀', 1000) }
    await using live = await LiveReader.open(tenant.admin, lists)
    assert.deepEqual([live.ready.list, Object.keys(live.ready.refused)], [['few'], ['bytes', 'many']])
    await using all = await LiveReader.open(tenant.admin, many(32, described('x', 900)))
    assert.equal(all.ready.list.length, 32)
    const tooMany = await tenant.admin.post('/api/live', { lists: many(36, described('x', 900)) })
    assertError(tooMany, 400, 'lists: are described by 65536 bytes at most')
  })

  it('have rows that enter by a text that was too long to be kept', async () => {
    const id = await made('/api/tasks', { title: 'long '.repeat(60) })
    const filter = { 'title[contains]': 'long' }
    await using live = await LiveReader.open(tenant.admin, { all: { entity: 'task', filter, fields: 'id' } })
    assert.equal((await tenant.admin.patch(`/api/tasks/${id}`, { title: 'short' })).status, 200)
    const { event, data } = await live.next()
    assert.deepEqual([event, data.list], ['reset', ['all']])
  })

  it('are decided by memberships for rows with long texts and short ones', async () => {
    const name = 'Sitters'
    await made('/api/roles', { name, permissions: ['task:read'] })
    const sitter = await made('/api/users', { ...person('sitter'), roles: ['User', name] })
    const { client } = await service.signIn('sitter', tenant.id)
    const boardId = await made('/api/boards', { name: 'Board' })
    await made('/api/seats', { boardId, personId: sitter })
    const place = (await client.get('/api/tasks')).headers.get('live-cursor')
    const canary = 'CANARY-OF-A-SECRET'
    const ids = [
      await made('/api/tasks', { title: 'x'.repeat(300), boardId, secret: canary }),
      await made('/api/tasks', { title: 'x', boardId }),
    ]
    await using live = await LiveReader.open(
      client,
      { whole: { entity: 'task', filter: { state: 'open' } }, some: { ...ofState, fields: 'id,title' } },
      place,
    )
    const told = [await live.change(), await live.change(), await live.change(), await live.change()]
    assert.deepEqual(new Set(told.map(({ id }) => id)), new Set(ids))
    assert.equal((await tenant.admin.patch(`/api/tasks/${ids[1]}`, { secret: canary })).status, 200)
    // Of a hidden member only the list with `updatedAt` tells that something has changed.
    const change = await live.change()
    assert.deepEqual([change.list, change.kind, change.version], [['whole'], 'change', 2])
    assert.ok(!JSON.stringify([told, change]).includes(canary))
    assert.equal('secret' in (change.row ?? {}), false)
  })
})
