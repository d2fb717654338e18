/** Former versions and deleted rows, for callers of every kind: each gets of them what the oracle gives. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { runSeed } from '../support/run/extent.ts'
import { fieldRules, type Row, reaches, readsMember, refusedAtDoor, type World } from './oracle.ts'
import { pickFrom } from './pick.ts'
import { type Caller, readWorld, type Scene, startScene } from './scene.ts'
import { fill } from './state.ts'

const path = '/api/tickets'
const changes = 40

onEachDatabase('The past of rows with rules', (database) => {
  const pick = pickFrom(runSeed)
  let scene: Scene
  /** Every state of each ticket, by its version: what an administrator has read at that time. */
  const past = new Map<string, Map<number, Row>>()
  const deleted: Row[] = []
  let world: World
  before(async () => {
    scene = await startScene(database)
    const { client } = scene.admin
    world = await fill(scene, pick)
    const clients = (world['client'] ?? []).map((row) => row.id)
    // Nothing refers to them, so that they can be deleted.
    const added: Row[] = []
    for (let turn = 0; turn < 6; turn++) {
      const made = await client.post(path, { title: `new ${turn}`, clientId: pick(clients) })
      assert.equal(made.status, 201, made.text)
      added.push(made.body)
    }
    const tickets = [...(world['ticket'] ?? []), ...added]
    for (const row of tickets) await keep(row)
    for (let turn = 0; turn < changes; turn++) {
      const { id } = pick(tickets)
      const { status, text, body } = await client.patch(`${path}/${id}`, {
        title: `turn ${turn}`,
        note: `note ${turn}`,
        assigneeId: pick([...scene.userIds, null]),
        teamId: pick([...(world['team'] ?? []).map((team) => team.id), null]),
      })
      assert.equal(status, 200, text)
      await keep(body)
    }
    for (const { id } of added) {
      const { body: row } = await client.get(`${path}/${id}`)
      assert.equal((await client.delete(`${path}/${id}`)).status, 204)
      deleted.push(row)
    }
    world = await readWorld(scene)
    assert.ok((world['ticket'] ?? []).length > 0)
  })
  after(() => scene.service.stop())

  async function keep(row: Row): Promise<void> {
    const { headers } = await scene.admin.client.get(`${path}/${row.id}`)
    const version = Number(/v(\d+)/.exec(headers.get('etag') ?? '')?.[1])
    const versions = past.get(row.id) ?? new Map<number, Row>()
    past.set(row.id, versions.set(version, row))
  }

  const reads = (caller: Caller, row: Row) => reaches(caller, 'ticket', 'read', row, world)
  const shown = (caller: Caller, row: Row): Row =>
    Object.fromEntries(Object.entries(row).filter(([member]) => readsMember(caller, 'ticket', member))) as Row // with its id, which everybody reads
  const doorOf = (caller: Caller) => refusedAtDoor(caller, 'ticket', 'read')
  const latestOf = (id: string): Row => {
    const found = [...(world['ticket'] ?? []), ...deleted].find((row) => row.id === id)
    assert.ok(found)
    return found
  }

  const asked = () =>
    scene.callers.flatMap((caller) => [...past].map(([id, versions]) => ({ caller, id, versions })))
  const statusOf = (caller: Caller, rows: readonly Row[]) =>
    doorOf(caller) ?? (rows.every((row) => reads(caller, row)) ? 200 : 404)

  it('is that of times in which the caller would have read the row', async () => {
    let seen = 0
    for (const { caller, id, versions } of asked())
      for (const [version, row] of versions) {
        const { status, text, body } = await caller.client.get(`${path}/${id}/history/${version}`)
        assert.equal(status, statusOf(caller, [latestOf(id), row]), `${caller.name} ${version} ${text}`)
        if (status !== 200) continue
        seen++
        const { lines: _lines, ...rest } = body
        const { lines: _all, ...expected } = shown(caller, row)
        assert.deepEqual(rest, expected)
      }
    assert.ok(seen > changes)
  })

  it('has no change with a value that the caller would not have read', async () => {
    for (const { caller, id, versions } of asked()) {
      const { status, text, body } = await caller.client.get(`${path}/${id}/history?limit=200`)
      assert.equal(status, statusOf(caller, [latestOf(id)]), `${caller.name} ${text}`)
      if (status === 200) for (const entry of body) assertShown(caller, versions, entry)
      const hidden = hiddenFrom(caller)
      assert.deepEqual(
        hidden.filter((member) => text.includes(`"${member}"`)),
        [],
        text,
      )
    }
  })

  function assertShown(
    caller: Caller,
    versions: ReadonlyMap<number, Row>,
    { version, changes: given }: { version: number; changes: object },
  ): void {
    const [row, former] = [versions.get(version), versions.get(version - 1)]
    if (row === undefined) return // the deletion
    assert.ok(reads(caller, row))
    if (former === undefined || !reads(caller, former)) assert.deepEqual(given, {})
  }

  function hiddenFrom(caller: Caller): string[] {
    return Object.keys(fieldRules['ticket'] ?? {}).filter((member) => !readsMember(caller, 'ticket', member))
  }

  it('has the deleted rows that the caller would read', async () => {
    for (const caller of scene.callers) {
      const { status, text, body } = await caller.client.get(`${path}/trash?limit=200`)
      assert.equal(status, doorOf(caller) ?? 200, text)
      if (status !== 200) continue
      const expected = deleted.filter((row) => reads(caller, row)).map(({ id }) => id)
      assert.deepEqual(body.map(({ id }: Row) => id).toSorted(), expected.toSorted(), caller.name)
      for (const { row } of body)
        assert.ok(Object.keys(row).every((member) => readsMember(caller, 'ticket', member)))
    }
  })

  it('is restored by nobody who does not read it', async () => {
    for (const caller of scene.callers) {
      const isClosed = (row: Row) => doorOf(caller) !== null || !reads(caller, row)
      for (const row of deleted.filter(isClosed)) await assertRefused(caller, `${path}/${row.id}/restore`)
      for (const [id, versions] of past)
        for (const [version] of [...versions].filter(([, row]) => isClosed(row)))
          await assertRefused(caller, `${path}/${id}/history/${version}/restore`)
    }
    const times = (rows: readonly Row[] = []) => rows.map(({ updatedAt }) => updatedAt)
    assert.deepEqual(times((await readWorld(scene))['ticket']), times(world['ticket']))
  })

  async function assertRefused(caller: Caller, address: string): Promise<void> {
    const { status, text } = await caller.client.post(address)
    const isRefused = status === (refusedAtDoor(caller, 'ticket', 'write') ?? doorOf(caller) ?? 404)
    assert.ok(isRefused || status === 403, `${caller.name} ${status} ${text}`)
  }
})
