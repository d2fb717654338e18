/** Statements of an application’s own, with the rights of a caller: the scope adds the rules to each kind. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Context, type Feature, inTransaction, route } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { visibleRows, type World } from './oracle.ts'
import { pickFrom } from './pick.ts'
import { type Caller, type Scene, startScene } from './scene.ts'
import { fill } from './state.ts'

/** Typed as a table of the service, because this application declares none. */
const named = (table: string) => table as 'event'

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
