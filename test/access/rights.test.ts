/** What a row says of what the caller may do with it is what the oracle gives, and what the service does. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../support/databases.ts'
import { runSeed } from '../support/run/extent.ts'
import { application } from './application.ts'
import { type Row, reaches, refusedAtDoor, type Verb, type World } from './oracle.ts'
import { pickFrom } from './pick.ts'
import { type Caller, pathOf, readWorld, type Scene, startScene } from './scene.ts'
import { fill } from './state.ts'
import { rightWays } from './ways.ts'

const noRow = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

const actions: Readonly<Record<string, Readonly<Record<string, Verb>>>> = {
  ticket: { close: 'update', finish: 'finish' },
}

onEitherDatabase('The rights of a caller to a row', (database) => {
  let scene: Scene
  let world: World
  const ruled = application.flatMap(({ name, routes }) => {
    const path = pathOf(routes)
    return rightWays.includes(`GET ${path}/:id/rights`) ? [{ name, path }] : []
  })
  before(async () => {
    scene = await startScene(database)
    await fill(scene, pickFrom(runSeed))
    world = await readWorld(scene)
  })
  after(() => scene.service.stop())

  function rightsTo(caller: Caller, entity: string, row: Row) {
    const may = (verb: Verb) =>
      caller.permissions.has(`${entity}:write`) && reaches(caller, entity, verb, row, world)
    const ofEntity = Object.entries(actions[entity] ?? {})
    return {
      change: may('update'),
      delete: may('delete'),
      actions: ofEntity.filter(([, verb]) => may(verb)).map(([name]) => name),
    }
  }

  const asked = () =>
    ruled.flatMap(({ name, path }) =>
      scene.callers.flatMap((caller) => (world[name] ?? []).map((row) => ({ name, path, caller, row }))),
    )

  it('are those of the operation and of each action', async () => {
    const told = new Set<string>()
    for (const { name, path, caller, row } of asked()) {
      const { status, body, text } = await caller.client.get(`${path}/${row.id}/rights`)
      const isRead = reaches(caller, name, 'read', row, world)
      assert.equal(status, refusedAtDoor(caller, name, 'read') ?? (isRead ? 200 : 404), text)
      if (status !== 200) continue
      assert.deepEqual(body, rightsTo(caller, name, row), `${caller.name} ${name}`)
      told.add(JSON.stringify(body))
    }
    assert.ok(ruled.length >= 3 && told.size > 4, [...told].join())
  })

  it('are not told of a row out of reach, as of none', async () => {
    const hidden = asked().filter(
      ({ name, caller, row }) =>
        refusedAtDoor(caller, name, 'read') === null && !reaches(caller, name, 'read', row, world),
    )
    assert.ok(hidden.length > 0)
    for (const { path, caller, row } of hidden) {
      const { status, text } = await caller.client.get(`${path}/${row.id}/rights`)
      const none = await caller.client.get(`${path}/${noRow}/rights`)
      assert.deepEqual([status, text], [404, none.text])
    }
  })
})
