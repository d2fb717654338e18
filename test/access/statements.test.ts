/** Statements of an application’s own, with the rights of a caller: the scope adds the rules to each kind. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { asTenant, type Context, type Feature, inTransaction, route } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { visibleRows, type World } from './oracle.ts'
import { pickFrom } from './pick.ts'
import { type Caller, type Scene, startScene } from './scene.ts'
import { fill } from './state.ts'

/** Typed as a table of the service, because this application declares none. */
const named = (table: string) => table as 'event'

const newId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c77'

/** In place of the report with the id, if there is one. */
const inserting = (context: Context, id: string) =>
  inTransaction(context, async ({ data }) => {
    const moment = '2026-01-01T00:00:00.000Z'
    const times = { created_at: moment, updated_at: moment, version: 1 }
    const report = { id, title: 'inserted', author_id: newId, pages: 1, ...times } as never // as above
    const query = data.kysely.insertInto(named('report')).values(report)
    const key = ['tenant_id', 'id'] as unknown as ['id'] // the columns of its key
    await query
      .onConflict((conflict) => conflict.columns(key).doUpdateSet({ title: 'taken' } as never))
      .execute()
    return []
  })

const statements: Record<string, (context: Context) => Promise<unknown[]>> = {
  select: ({ data }) => data.kysely.selectFrom(named('ticket')).select('id').orderBy('id').execute(),
  join: ({ data }) =>
    data.kysely
      .selectFrom(named('team'))
      .innerJoin(named('notice'), (on) =>
        on.onRef('notice.team_id' as 'event.id', '=', 'team.id' as 'event.id'),
      )
      .select('notice.id' as 'event.id')
      .orderBy('notice.id' as 'event.id')
      .execute(),
  update: (context) =>
    inTransaction(context, async ({ data }) => {
      const change = { title: 'changed' } as never // a column of the table that is meant
      const { numUpdatedRows } = await data.kysely.updateTable(named('report')).set(change).executeTakeFirst()
      return [Number(numUpdatedRows)]
    }),
  delete: (context) =>
    inTransaction(context, async ({ data }) => {
      const { numDeletedRows } = await data.kysely.deleteFrom(named('reaction')).executeTakeFirst()
      return [Number(numDeletedRows)]
    }),
  insert: (context) => inserting(context, newId),
  replace: async (context) => {
    const reports = asTenant(context).data.kysely.selectFrom(named('report')).select('id').orderBy('id')
    const { id } = await reports.executeTakeFirstOrThrow()
    return inserting(context, id)
  },
}

const byHand: Feature = {
  name: 'byHand',
  routes: Object.entries(statements).map(([name, run]) =>
    route({
      method: 'POST',
      path: `/api/by-hand/${name}`,
      tag: 'Tests',
      summary: name,
      status: 200,
      access: 'user',
      handle: run,
    }),
  ),
}

onEitherDatabase('Statements of an application', (database) => {
  let scene: Scene
  let world: World
  let callers: Caller[]
  before(async () => {
    scene = await startScene(database, [byHand])
    world = await fill(scene, pickFrom(7))
    callers = scene.callers.filter(({ isAnonymous }) => !isAnonymous)
  })
  after(() => scene.service.stop())

  const run = async ({ client }: Caller, name: string) => {
    const { status, body, text } = await client.post(`/api/by-hand/${name}`)
    assert.equal(status, 200, text)
    return body
  }
  const idsOf = (caller: Caller, entity: string) =>
    visibleRows(caller, entity, world)
      .map(({ id }) => id)
      .toSorted()

  it('select the rows in reach', async () => {
    for (const caller of callers)
      assert.deepEqual(
        (await run(caller, 'select')).map(({ id }: { id: string }) => id),
        idsOf(caller, 'ticket'),
        caller.name,
      )
  })

  it('join the rows in reach', async () => {
    for (const caller of callers) {
      const ofTeams = visibleRows(caller, 'notice', world).filter((row) => row['teamId'] !== null)
      assert.deepEqual(
        (await run(caller, 'join')).map(({ id }: { id: string }) => id),
        ofTeams.map(({ id }) => id).toSorted(),
        caller.name,
      )
    }
  })

  it('update the rows in reach', async () => {
    const member = callers.find(({ name }) => name === 'member')
    assert.ok(member)
    const own = (world['report'] ?? []).filter((row) => row['authorId'] === member.userId)
    assert.ok(own.length > 0 && own.length < 7)
    assert.deepEqual(await run(member, 'update'), [own.length])
    const others = callers.filter(({ name }) => name === 'customer' || name === 'key')
    for (const caller of others) assert.deepEqual(await run(caller, 'update'), [0], caller.name)
  })

  it('insert no row, and replace none, but for those who reach every row', async () => {
    const titles = async () => {
      const { body } = await scene.admin.client.get('/api/reports?sort=id')
      return body.map(({ title }: { title: string }) => title)
    }
    const titlesBefore = await titles()
    for (const { client, name } of callers.filter(({ permissions }) => !permissions.has('report:all')))
      for (const kind of ['insert', 'replace'])
        assert.equal((await client.post(`/api/by-hand/${kind}`)).status, 500, `${kind} by ${name}`)
    assert.deepEqual(await titles(), titlesBefore)
    for (const kind of ['replace', 'insert']) await run(scene.admin, kind)
    const [, ...others] = titlesBefore
    assert.deepEqual((await titles()).toSorted(), ['inserted', 'taken', ...others].toSorted())
  })

  it('delete the rows in reach', async () => {
    const customer = callers.find(({ name }) => name === 'customer')
    assert.ok(customer)
    const ticketOf = (row: { [member: string]: unknown }) =>
      world['ticket']?.find(
        ({ id }) => id === world['comment']?.find((comment) => comment.id === row['commentId'])?.['ticketId'],
      )
    const own = (world['reaction'] ?? []).filter((row) => ticketOf(row)?.['assigneeId'] === customer.userId)
    assert.deepEqual(await run(customer, 'delete'), [own.length])
    assert.equal(
      (await scene.admin.client.get('/api/reactions')).body.length,
      (world['reaction'] ?? []).length - own.length,
    )
  })
})
