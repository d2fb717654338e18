/** Lists that are followed: what enters, changes, leaves, is deleted; resumed at a cursor; within rights and limits. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { watchReads } from '../../support/database/watch-reads.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { LiveReader } from './live-reader.ts'
import { taskApp } from './task-app.ts'

onEitherDatabase('Lists that are followed', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: { client: Client; id: string }
  let bob: { client: Client; id: string }
  before(async () => {
    service = await startService(database, {}, { ...taskApp, liveLimits: { userStreams: 3 } })
    tenant = await service.newTenant()
    ada = await member('ada')
    bob = await member('bob')
  })
  after(() => service.stop())

  async function member(name: string): Promise<{ client: Client; id: string; role: string }> {
    const role = uniqueName('Role')
    await created(tenant.admin.post('/api/roles', { name: role, permissions: ['task:read', 'task:write'] }))
    const userName = uniqueName(name)
    const { id } = await created(
      tenant.admin.post('/api/users', { ...person(userName), roles: ['User', role] }),
    )
    const { client } = await service.signIn(userName, tenant.id)
    return { client, id: String(id), role }
  }

  const newTask = (members: object) => created(tenant.admin.post('/api/tasks', { title: 'Task', ...members }))
  const change = async (id: unknown, members: object) => {
    const { status, text, body } = await tenant.admin.patch(`/api/tasks/${id}`, members)
    assert.equal(status, 200, text)
    return body
  }

  it('send what enters, changes, leaves and is deleted, by filter', async () => {
    const lists = {
      open: { entity: 'task', filter: { state: 'open', 'rank[gte]': 5 }, fields: 'id,title,rank' },
    }
    await using live = await LiveReader.open(tenant.admin, lists)
    assert.deepEqual(live.ready, { list: ['open'], refused: {} })
    const { id } = await newTask({ title: 'First', rank: 1 })
    await change(id, { rank: 7 })
    assert.deepEqual(await live.change(), {
      list: ['open'],
      kind: 'enter',
      id,
      version: 2,
      row: { id, title: 'First', rank: 7 },
    })
    await change(id, { title: 'Renamed' })
    assert.deepEqual(await live.change(), {
      list: ['open'],
      kind: 'change',
      id,
      version: 3,
      row: { id, title: 'Renamed', rank: 7 },
    })
    await change(id, { due: 'tomorrow' }) // not among the members of the list
    await created(tenant.admin.post(`/api/tasks/${id}/finish`, {}))
    assert.deepEqual(await live.change(), { list: ['open'], kind: 'leave', id, version: 5 })
    const other = await newTask({ rank: 9 })
    assert.equal((await live.change()).kind, 'enter')
    assert.equal((await tenant.admin.delete(`/api/tasks/${other['id']}`)).status, 204)
    assert.deepEqual(await live.change(), { list: ['open'], kind: 'delete', id: other['id'], version: 1 })
  })

  it('send a caller only what he reaches, before or after', async () => {
    const { id: boardId } = await created(tenant.admin.post('/api/boards', { name: 'Board' }))
    await using own = await LiveReader.open(ada.client, { mine: { entity: 'task', fields: 'id' } })
    await using his = await LiveReader.open(bob.client, { mine: { entity: 'task', fields: 'id' } })
    const { id } = await newTask({ ownerId: ada.id })
    assert.deepEqual(await own.change(), { list: ['mine'], kind: 'enter', id, version: 1, row: { id } })
    await change(id, { ownerId: bob.id })
    assert.equal((await own.change()).kind, 'leave')
    assert.equal((await his.change()).kind, 'enter')
    // By a membership, which the database knows.
    await created(tenant.admin.post('/api/seats', { boardId, personId: ada.id }))
    await change(id, { boardId })
    assert.equal((await own.change()).kind, 'enter')
    assert.equal((await tenant.admin.delete(`/api/tasks/${id}`)).status, 204)
    assert.deepEqual(await own.change(), { list: ['mine'], kind: 'delete', id, version: 3 })
    assert.deepEqual(await his.next().then(({ data }) => [data.kind, data.id]), ['delete', id])
  })

  it('continue where a stream ended, without a gap and without a row that is gone', async () => {
    const lists = { all: { entity: 'notice', fields: 'id,text' } }
    const listed = await tenant.admin.get('/api/notices')
    const start = listed.headers.get('live-cursor')
    assert.ok(start)
    const first = await created(tenant.admin.post('/api/notices', { text: 'One' }))
    let cursor: string | null
    {
      await using live = await LiveReader.open(tenant.admin, lists, start)
      assert.equal((await live.change()).id, first['id'])
      cursor = live.cursor
    }
    const second = await created(tenant.admin.post('/api/notices', { text: 'Two' }))
    const third = await created(tenant.admin.post('/api/notices', { text: 'Three' }))
    await tenant.admin.delete(`/api/notices/${third['id']}`)
    await using resumed = await LiveReader.open(tenant.admin, lists, cursor)
    assert.deepEqual((await resumed.change()).row, { id: second['id'], text: 'Two' })
    // A list that was read between the two changes has it.
    assert.deepEqual(await resumed.change(), {
      list: ['all'],
      kind: 'delete',
      id: third['id'],
      version: 1,
    })
    await created(tenant.admin.post('/api/notices', { text: 'Four' }))
    assert.equal((await resumed.change()).row?.['text'], 'Four')
  })

  it('name each row once for all lists of a stream, and then the events that are followed beside them', async () => {
    const lists = {
      a: { entity: 'notice', fields: 'id' },
      b: { entity: 'notice', filter: { 'level[gt]': 3 }, fields: 'id' },
      told: { on: 'notice.created' },
    }
    await using live = await LiveReader.open(tenant.admin, lists)
    const { id } = await created(tenant.admin.post('/api/notices', { text: 'Both', level: 4 }))
    assert.deepEqual(await live.change(), { list: ['a', 'b'], kind: 'enter', id, version: 1, row: { id } })
    const told = await live.next()
    assert.deepEqual([told.event, told.data.list, told.data.data.noticeId], ['event', ['told'], id])
  })

  it('read a changed row once for all who follow it, whatever they select', async () => {
    const { id } = await newTask({ title: 'Watched', rank: 1, ownerId: ada.id })
    const callers = [tenant.admin, tenant.admin, ada.client]
    await using held = new AsyncDisposableStack()
    // The feed of a tenant keeps the executor that it gets with its first stream.
    const { catalogueDatabase } = (await service.service.operator()).shared
    const watched = watchReads(catalogueDatabase, '"task"')
    held.defer(watched.stop)
    const streams: LiveReader[] = []
    for (const [place, caller] of callers.entries()) {
      const fields = ['id,title', 'id,rank,title', 'id,title,state'][place]
      const lists = {
        mine: { entity: 'task', fields },
        known: { entity: 'task', filter: { 'rank[gte]': 1 } },
      }
      streams.push(held.use(await LiveReader.open(caller, lists)))
    }
    const seen = async (title: string) => {
      await change(id, { title })
      for (const stream of streams)
        for (let told = 0; told < 2; told++) assert.equal((await stream.change()).row?.['title'], title)
    }
    await seen('First') // a stream that has just begun may read it for itself
    watched.reads.length = 0
    await seen('Seen')
    assert.equal(watched.reads.length, 1, watched.reads.join('\n'))
  })

  it('are refused each by itself', async () => {
    const lists = {
      good: { entity: 'notice' },
      unknown: { entity: 'notices' },
      other: { entity: 'board' },
      misspelt: { entity: 'task', filter: { stat: 'open' } },
      wrong: { entity: 'task', filter: { state: 'gone' } },
      hidden: { entity: 'task', filter: { secret: 'x' } },
      member: { entity: 'task', fields: 'id,nothing' },
      event: { on: 'nothing.happened' },
    }
    await using live = await LiveReader.open(ada.client, lists)
    assert.deepEqual(live.ready.list, ['good'])
    const codes = Object.entries(live.ready.refused).map(([name, { code }]) => [name, code])
    assert.deepEqual(Object.fromEntries(codes), {
      unknown: 'NOT_FOUND',
      other: 'NOT_FOUND',
      misspelt: 'INVALID',
      wrong: 'INVALID',
      hidden: 'FORBIDDEN',
      member: 'INVALID',
      event: 'NOT_FOUND',
    })
  })

  it('are read again after a cursor of another tenant, of nothing, or of long ago', async () => {
    const other = await service.newTenant()
    const foreign = (await other.admin.get('/api/notices')).headers.get('live-cursor')
    for (const cursor of [foreign, 'nonsense', 'a.b.c']) {
      await using live = await LiveReader.open(tenant.admin, { all: { entity: 'notice' } }, cursor)
      const event = await live.next()
      assert.deepEqual([event.event, event.data], ['reset', { list: ['all'], reason: 'unknown' }])
    }
  })

  it('are read again after an event that kept nothing of its row', async () => {
    await using live = await LiveReader.open(tenant.admin, { all: { entity: 'notice' } })
    const data = { noticeId: randomUUID(), text: 'By hand', level: 1 }
    await created(tenant.admin.post('/api/events', { type: 'notice.updated', data }))
    const event = await live.next()
    assert.deepEqual([event.event, event.data], ['reset', { list: ['all'], reason: 'unknown' }])
  })

  it('end by themselves with a right that is taken away', async () => {
    const carol = await member('carol')
    await using live = await LiveReader.open(carol.client, { mine: { entity: 'task' } })
    await created(tenant.admin.put(`/api/roles/${carol.role}`, { permissions: [] }))
    const { event, data } = await live.next()
    await newTask({ ownerId: carol.id })
    assert.deepEqual([event, data.reason], ['end', 'forbidden'])
    await live.reader.ended
  })

  it('are bounded for each user', async () => {
    const dora = await member('dora')
    const follow = (entity: string) => dora.client.post('/api/live', { lists: { all: { entity } } })
    assertError(await follow('none'), 404)
    const open = await Promise.all(
      [1, 2, 3].map(() => LiveReader.open(dora.client, { all: { entity: 'notice' } })),
    )
    assertError(await follow('notice'), 429)
    assertError(await follow('none'), 429) // before the lists are read
    for (const live of open) await live[Symbol.asyncDispose]()
  })
})

async function created(answer: Promise<{ status: number; text: string; body: Record<string, unknown> }>) {
  const { status, text, body } = await answer
  assert.ok(status >= 200 && status < 300, text)
  return body
}
