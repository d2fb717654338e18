/** Events of an application that are followed beside lists: by the permission that they require. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import type { Feature } from '../../../src/index.ts'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { LiveReader } from './live-reader.ts'
import { taskApp } from './task-app.ts'

const parcels: Feature = {
  name: 'parcels',
  permissions: { 'parcel:watch': { description: 'See where parcels are', role: 'Admin' } },
  events: {
    'parcel.moved': {
      summary: 'A parcel was moved.',
      payload: Type.Object({ place: Type.String() }),
      access: 'parcel:watch' as never,
    },
  },
}

onEitherDatabase('Events that are followed', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: Client
  const lists = { moved: { on: 'parcel.moved' } }
  before(async () => {
    service = await startService(database, {}, { ...taskApp, features: [...taskApp.features, parcels] })
    tenant = await service.newTenant()
    await ok(tenant.admin.post('/api/roles', { name: 'Watcher', permissions: ['parcel:watch', 'task:read'] }))
    await ok(tenant.admin.post('/api/users', { ...person('ada'), roles: ['User', 'Watcher'] }))
    ada = (await service.signIn('ada', tenant.id)).client
  })
  after(() => service.stop())

  const ok = async (answer: ReturnType<Client['post']>) => {
    const { status, text } = await answer
    assert.ok(status < 300, text)
  }
  const move = (place: string) =>
    ok(tenant.admin.post('/api/events', { type: 'parcel.moved', data: { place } }))

  it('are sent to those with the permission, until they lose it', async () => {
    await using live = await LiveReader.open(ada, lists)
    await move('Oslo')
    const { event, data } = await live.next()
    assert.deepEqual(
      [event, data.list, data.type, data.data],
      ['event', ['moved'], 'parcel.moved', { place: 'Oslo' }],
    )
    await ok(tenant.admin.put('/api/roles/Watcher', { permissions: ['task:read'] }))
    const end = await live.next()
    assert.deepEqual([end.event, end.data.reason], ['end', 'forbidden'])
    assertError(await ada.post('/api/live', { lists }), 403)
  })

  it('are not those of rows with rules, but for holders of the permission for all', async () => {
    const both = { every: { on: 'task.created' }, own: { entity: 'task', fields: 'id' } }
    await using live = await LiveReader.open(ada, both)
    assert.deepEqual([live.ready.list, live.ready.refused['every']?.code], [['own'], 'FORBIDDEN'])
    await using all = await LiveReader.open(tenant.admin, both)
    await ok(tenant.admin.post('/api/tasks', { title: 'Task', secret: 'CANARY' }))
    assert.equal((await all.change()).kind, 'enter')
    const { event, data } = await all.next()
    assert.equal(event, 'event')
    assert.ok(!JSON.stringify(data).includes('CANARY'))
  })
})
