/** Subscriptions of entities that are live: with a filter, under rules of rows, and of rows that were deleted. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import type { Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { EventReader } from '../../../support/graphql/event-reader.ts'
import {
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../../support/service.ts'
import { taskApp } from '../../live/task-app.ts'
import { errorCodes } from '../error-codes.ts'

interface Member {
  client: Client
  id: string
  role: string
}

onEitherDatabase('Subscriptions of entities that are live', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: Member
  let bob: Member
  before(async () => {
    service = await startService(database, {}, taskApp)
    tenant = await service.newTenant()
    ada = await member('ada')
    bob = await member('bob')
  })
  after(() => service.stop())

  async function member(name: string): Promise<Member> {
    const role = uniqueName('Role')
    await made(tenant.admin.post('/api/roles', { name: role, permissions: ['task:read', 'task:write'] }))
    const userName = uniqueName(name)
    const { id } = await made(tenant.admin.post('/api/users', { ...person(userName), roles: ['User', role] }))
    const { client } = await service.signIn(userName, tenant.id)
    return { client, id: String(id), role }
  }

  const newTask = async (members: object) =>
    String((await made(tenant.admin.post('/api/tasks', { title: 'Task', ...members })))['id'])
  const change = (id: string, members: object) => made(tenant.admin.patch(`/api/tasks/${id}`, members))
  const remove = async (id: string) =>
    assert.equal((await tenant.admin.delete(`/api/tasks/${id}`)).status, 204)
  const follow = (client: Client, field: string, selection = '{ id }', mark: string | null = null) =>
    EventReader.open(client, {
      query: `subscription { told: ${field} ${selection} }`,
      after: mark,
    })
  const told = async (reader: EventReader) => (await reader.next()).data.data.told

  it('send the rows that match a filter after the change, and the ids of deleted ones that matched', async () => {
    const where = '(where: { state: { eq: open }, rank: { gte: 5 }, title: { ncontains: "secret" } })'
    await using created = await follow(tenant.admin, `onTaskCreated${where}`, '{ id rank }')
    await using updated = await follow(tenant.admin, `onTaskUpdated${where}`, '{ id rank }')
    await using deleted = await follow(tenant.admin, `onTaskDeleted${where}`, '{ __typename gone: id }')
    const low = await newTask({ rank: 1 })
    const high = await newTask({ rank: 5 })
    assert.deepEqual(await told(created), { id: high, rank: 5 })
    await change(low, { rank: 2 })
    await change(low, { rank: 7 })
    assert.deepEqual(await told(updated), { id: low, rank: 7 })
    await change(low, { rank: 3 })
    await change(high, { title: 'a secret' })
    await change(high, { title: 'none' })
    assert.deepEqual(await told(updated), { id: high, rank: 5 })
    await remove(low)
    await remove(high)
    assert.deepEqual(await told(deleted), { __typename: 'DeletedRow', gone: high })
  })

  it('take the filter from variables, as the client of graphql-ws sends them', async () => {
    const { baseUrl, headers } = tenant.admin
    const client = createClient({
      url: `${baseUrl.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: headers['authorization'], tenant: headers['x-tenant-id'] },
    })
    const query =
      'subscription ($where: TaskFilterInput!, $region: String) { onTaskFinished(where: { and: [{ region: { eq: $region } }, $where] }) { id state } }'
    const variables = { region: 'north', where: { or: [{ rank: { gt: 7 } }, { due: { neq: null } }] } }
    const first = client.iterate({ query, variables }).next()
    // The protocol does not say when a subscription has begun.
    const matching = new Set<string>()
    let result: Awaited<typeof first> | null = null
    for (let lateMs = 20; result === null; lateMs *= 2) {
      for (const members of [{ rank: 1, region: 'north' }, { rank: 8 }, { rank: 8, region: 'north' }]) {
        const id = await newTask(members)
        if (members.rank === 8 && members.region !== undefined) matching.add(id)
        await made(tenant.admin.post(`/api/tasks/${id}/finish`, {}))
      }
      result = await Promise.race([first, delay(lateMs, null)])
    }
    const { data } = result.value as { data: { onTaskFinished: { id: string; state: string } } }
    const { id, state } = data.onTaskFinished
    assert.deepEqual([matching.has(id), state], [true, 'done'])
    await client.dispose()
  })

  it('send each subscriber the rows that he reaches, before they go or after they change', async () => {
    const { id: boardId } = await made(tenant.admin.post('/api/boards', { name: 'Board' }))
    await made(tenant.admin.post('/api/seats', { boardId, personId: bob.id }))
    await using own = await follow(ada.client, 'onTaskUpdated', '{ id title }')
    await using his = await follow(bob.client, 'onTaskUpdated', '{ id title }')
    await using ownGone = await follow(ada.client, 'onTaskDeleted')
    await using hisGone = await follow(bob.client, 'onTaskDeleted')
    const id = await newTask({ ownerId: ada.id })
    await change(id, { title: 'For Ada' })
    assert.deepEqual(await told(own), { id, title: 'For Ada' })
    await change(id, { ownerId: bob.id, title: 'For Bob' })
    assert.deepEqual(await told(his), { id, title: 'For Bob' })
    await change(id, { ownerId: null, boardId, title: 'For the board' })
    assert.deepEqual(await told(his), { id, title: 'For the board' })
    await remove(id)
    assert.deepEqual(await told(hisGone), { id })
    const last = await newTask({ ownerId: ada.id })
    await change(last, { title: 'Last' })
    assert.deepEqual(await told(own), { id: last, title: 'Last' })
    await remove(last)
    assert.deepEqual(await told(ownGone), { id: last })
  })

  it('send nothing of a row that has left the reach since, when they catch up', async () => {
    const mark = await markOf(ada)
    const id = await newTask({ ownerId: ada.id, title: 'Hers' })
    await change(id, { ownerId: bob.id, title: 'His' })
    const later = await newTask({ ownerId: ada.id })
    await using resumed = await follow(ada.client, 'onTaskCreated', '{ id title }', mark)
    assert.equal((await told(resumed)).id, later)
  })

  /** The id of an event that the caller has received. */
  async function markOf({ client, id: ownerId }: Member): Promise<string> {
    await using reader = await follow(client, 'onTaskCreated')
    await newTask({ ownerId })
    const { id } = await reader.next()
    assert.ok(id)
    return id
  }

  it('tell nobody of a change of hidden members alone', async () => {
    await using hers = await follow(ada.client, 'onTaskUpdated', '{ title }')
    await using all = await follow(tenant.admin, 'onTaskUpdated', '{ secret }')
    const id = await newTask({ ownerId: ada.id })
    await change(id, { secret: 'hidden' })
    await change(id, { title: 'shown' })
    assert.deepEqual(await told(hers), { title: 'shown' })
    assert.deepEqual(await told(all), { secret: 'hidden' })
  })

  it('are refused with a filter on a hidden member, on related rows, or of more than 4 KiB', async () => {
    const codesOf = async (client: Client, where: string) => {
      const query = `subscription { onTaskCreated(where: ${where}) { id } }`
      const { text } = await client.post('/graphql', { query }, { accept: 'text/event-stream' })
      return errorCodes({ body: JSON.parse(text.slice(text.indexOf('{'), text.indexOf('\n\n'))) })
    }
    assert.deepEqual(await codesOf(ada.client, '{ secret: { eq: "x" } }'), ['AUTH_NOT_AUTHORIZED'])
    assert.deepEqual(await codesOf(ada.client, '{ or: [{ rank: { gt: 1 } }, { secret: { eq: null } }] }'), [
      'AUTH_NOT_AUTHORIZED',
    ])
    assert.deepEqual(await codesOf(tenant.admin, '{ board: { name: { eq: "x" } } }'), ['BAD_USER_INPUT'])
    assert.deepEqual(await codesOf(tenant.admin, `{ title: { eq: "${'x'.repeat(5000)}" } }`), [
      'BAD_USER_INPUT',
    ])
    assert.deepEqual(await codesOf(tenant.admin, '{ rank: { eq: null, gt: null } }'), ['HC0018'])
  })

  it('end before the next event of a caller without the right', async () => {
    const carol = await member('carol')
    await using reader = await follow(carol.client, 'onTaskDeleted')
    const id = await newTask({ ownerId: carol.id })
    await made(tenant.admin.put(`/api/roles/${carol.role}`, { permissions: [] }))
    await remove(id)
    const { data } = await reader.next()
    assert.deepEqual(errorCodes({ body: data }), ['AUTH_NOT_AUTHORIZED'])
    await reader.ended
  })

  it('end soon after the right of a caller, while nothing happens', async () => {
    const dora = await member('dora')
    await using reader = await follow(dora.client, 'onTaskCreated')
    await made(tenant.admin.put(`/api/roles/${dora.role}`, { permissions: [] }))
    const { data } = await reader.next()
    assert.deepEqual(errorCodes({ body: data }), ['AUTH_NOT_AUTHORIZED'])
    await reader.ended
  })

  it('ask for a new read where an event did not keep what decides', async () => {
    const where = '(where: { title: { startsWith: "long" } })'
    const title = `long${'x'.repeat(300)}`
    await using deleted = await follow(tenant.admin, `onTaskDeleted${where}`)
    await using updated = await follow(tenant.admin, `onTaskUpdated${where}`)
    await using every = await follow(tenant.admin, 'onTaskDeleted')
    const id = await newTask({ title })
    await change(id, { rank: 4 })
    assert.deepEqual(await told(updated), { id }) // the row itself is asked
    await remove(id)
    const { data } = await deleted.next()
    assert.deepEqual([data.data, errorCodes({ body: data })], [null, ['SUBSCRIPTION_RESET']])
    assert.deepEqual(await told(every), { id })
    const other = await newTask({ title: 'long enough' })
    await remove(other)
    assert.deepEqual(await told(deleted), { id: other })
  })

  it('decide events that kept nothing of their rows by the rows as they are', async () => {
    await using many = await follow(tenant.user, 'onNoticeUpdated(where: { level: { gte: 5 } })')
    await using gone = await follow(tenant.user, 'onNoticeDeleted(where: { level: { gte: 5 } })')
    await using every = await follow(tenant.user, 'onNoticeDeleted')
    const { id: low } = await made(tenant.admin.post('/api/notices', { text: 'low' }))
    const { id: high } = await made(tenant.admin.post('/api/notices', { text: 'high', level: 5 }))
    for (const noticeId of [low, high]) {
      const data = { noticeId, text: 'by hand', level: 1 }
      await made(tenant.admin.post('/api/events', { type: 'notice.updated', data }))
    }
    assert.deepEqual(await told(many), { id: high })
    await made(tenant.admin.post('/api/events', { type: 'notice.deleted', data: { noticeId: low } }))
    assert.deepEqual(errorCodes({ body: (await gone.next()).data }), ['SUBSCRIPTION_RESET'])
    assert.deepEqual(await told(every), { id: low })
  })
})

async function made(answer: Promise<{ status: number; text: string; body: Record<string, unknown> }>) {
  const { status, text, body } = await answer
  assert.ok(status >= 200 && status < 300, text)
  return body
}
