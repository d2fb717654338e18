/** The audit, for callers of every kind: each gets the records of rows with rules that the oracle gives it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../support/databases.ts'
import { runSeed } from '../support/run/extent.ts'
import { person } from '../support/service.ts'
import { ruledNames } from './application.ts'
import { publicReads, refusedAtDoor, visibleRows, type World } from './oracle.ts'
import { pickFrom } from './pick.ts'
import { type Caller, readWorld, type Scene, startScene } from './scene.ts'
import { fill } from './state.ts'

const path = '/api/audit'
/** More than the service reads at once. */
const renamed = 220

interface AuditRecord {
  id: string
  action: string
  subjectType: string
  subjectId: string | null
  requestId: string
}

onEitherDatabase('The audit of rows with rules', (database) => {
  const pick = pickFrom(runSeed)
  let scene: Scene
  let world: World
  let all: AuditRecord[]
  let deletedId: string
  before(async () => {
    scene = await startScene(database)
    const { client } = scene.admin
    await fill(scene, pick)
    const { body: teams } = await client.get('/api/teams')
    const membership = { teamId: teams[0].id, memberId: scene.userIds.at(-1) }
    deletedId = (await client.post('/api/memberships', membership)).body.id
    assert.equal((await client.delete(`/api/memberships/${deletedId}`)).status, 204)
    const { body: hidden } = await client.post('/api/parcels', {
      label: 'renamed',
      holderId: scene.userIds.at(-1),
    })
    for (let turn = 0; turn < renamed; turn++)
      assert.equal(
        (await client.patch(`/api/parcels/${hidden.id}`, { label: `renamed ${turn}` })).status,
        200,
      )
    world = await readWorld(scene)
    all = await walk(scene.admin, `${path}?limit=200`)
  })
  after(() => scene.service.stop())

  const readers = () => scene.callers.filter(({ permissions }) => permissions.has('audit:read'))

  async function walk({ client }: Caller, first: string): Promise<AuditRecord[]> {
    const found: AuditRecord[] = []
    for (let next = first; next !== ''; ) {
      const { status, text, body, headers } = await client.get(next)
      assert.equal(status, 200, text)
      found.push(...body)
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
      const limit = Number(/limit=(\d+)/.exec(first)?.[1])
      if (next !== '') assert.equal(body.length, limit, 'a page that is followed by another is full')
    }
    return found
  }

  /** Those of the records that the oracle gives a caller. */
  function given(caller: Caller, records: readonly AuditRecord[]): AuditRecord[] {
    const reached = new Set(
      ruledNames
        .filter((entity) => refusedAtDoor(caller, entity, 'read') === null)
        .flatMap((entity) => visibleRows(caller, entity, world).map(({ id }) => `${entity} ${id}`)),
    )
    return records.filter(
      ({ subjectType, subjectId }) =>
        !ruledNames.includes(subjectType) ||
        caller.permissions.has(`${subjectType}:all`) ||
        reached.has(`${subjectType} ${subjectId}`),
    )
  }

  const idsOf = (records: readonly AuditRecord[]) => records.map(({ id }) => id)

  it('has the records of rows in reach, in full pages, and counts them alone', async () => {
    assert.ok(readers().length >= 3)
    for (const caller of readers()) {
      const expected = given(caller, all)
      assert.deepEqual(idsOf(await walk(caller, `${path}?limit=7`)), idsOf(expected), caller.name)
      const { headers } = await caller.client.get(`${path}?limit=1&count=true`)
      assert.equal(headers.get('x-total-count'), `${expected.length}`, caller.name)
      const isWhole = caller.name === 'admin'
      assert.equal(expected.length === all.length, isWhole, caller.name)
      assert.ok(
        expected.some(({ subjectType }) => ruledNames.includes(subjectType)),
        caller.name,
      )
    }
  })

  it('has no record of a row out of reach by any filter', async () => {
    const filters = all.flatMap(({ subjectType, subjectId, action }) =>
      ruledNames.includes(subjectType) ? [`subjectId=${subjectId}`, `action=${action}`] : [],
    )
    for (const caller of readers())
      for (const filter of [...new Set(filters)].filter((_each, place) => (place + runSeed) % 3 === 0)) {
        const [name = '', value] = filter.split('=')
        const matching = all.filter((record) => record[name as 'subjectId' | 'action'] === value)
        const found = await walk(caller, `${path}?limit=50&${filter}&count=true`)
        assert.deepEqual(idsOf(found), idsOf(given(caller, matching)), `${caller.name} ${filter}`)
      }
  })

  it('has the records of a deleted row for those who reach every row', async () => {
    for (const caller of readers()) {
      const { body } = await caller.client.get(`${path}?subjectId=${deletedId}`)
      assert.equal(body.length, caller.permissions.has('membership:all') ? 2 : 0, caller.name)
    }
  })

  it('of all tenants has no record of rows with rules for users of the host who do not reach them all', async () => {
    const { service } = scene
    const role = `Auditor${database}`
    const { host } = service
    const permissions = [
      'audit:read-all',
      ...ruledNames.filter((name) => !publicReads.has(name)).map((name) => `${name}:read`),
    ]
    const made = await host.post('/api/roles', { name: role, permissions })
    assert.equal(made.status, 201, made.text)
    const user = await host.post('/api/users', person(`auditor${database}`, { roles: [role] }))
    assert.equal(user.status, 201, user.text)
    const { client } = await service.signIn(`auditor${database}`)
    for (const tenantId of [undefined, scene.tenant.id]) {
      const query = `${path}/all?limit=200${tenantId === undefined ? '' : `&tenantId=${tenantId}&count=true`}`
      const [own, whole] = [
        await walk({ client } as Caller, query),
        await walk({ client: host } as Caller, query),
      ]
      const others = whole.filter(({ subjectType }) => !ruledNames.includes(subjectType))
      assert.ok(others.length < whole.length)
      assert.deepEqual(idsOf(own), idsOf(others))
    }
  })
})
