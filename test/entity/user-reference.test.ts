/** References to users: their names in GraphQL, and what becomes of them when the user is deleted. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Context } from '../../src/core/context.ts'
import { entity, many, reference, text, user } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { recorderOf } from '../support/graphql/statement-recorder.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'
import { type OwnDatabases, ownDatabases } from '../tenancy/own-databases.ts'
import { migrated } from './migrated.ts'

const board = entity('board', { fields: { name: text(), owner: user().shown() } })
const task = entity('task', {
  fields: {
    title: text(),
    board: reference(board),
    assignee: user({ onDelete: 'clear' }).shown().optional(),
    reviewer: user({ onDelete: 'clear' }).optional(),
    author: user().shown().optional(),
    secret: user().shown().optional(),
    watchers: many({ watcher: user().shown() }).optional(),
  },
  access: { fields: { secret: { read: 'task:secret' } } },
})

onEitherDatabase('A reference to a user', (database) => {
  let service: TestService
  let own: OwnDatabases
  before(async () => {
    service = await startService(database, {}, { features: migrated([board, task]) })
    own = await ownDatabases(database, service.dataDir)
  })
  after(async () => {
    await service.stop()
    await own.drop()
  })

  const peopleOf = async ({ admin }: TestTenant, ...names: string[]) => {
    const ids: string[] = []
    for (const name of names) ids.push((await admin.post('/api/users', person(name))).body.id)
    return ids as [string, string]
  }
  const boardOf = async ({ admin }: TestTenant, ownerId: string) =>
    (await admin.post('/api/boards', { name: 'plan', ownerId })).body.id as string
  const taskOf = async ({ admin }: TestTenant, body: object) => {
    const made = await admin.post('/api/tasks', body)
    assert.equal(made.status, 201, made.text)
    return made.body.id as string
  }

  it('shows the name of the user, and the name of nobody', async () => {
    const tenant = await service.newTenant()
    const [ada, bob] = await peopleOf(tenant, 'ada', 'bob')
    const boardId = await boardOf(tenant, ada)
    const watchers = [{ watcherId: bob }, { watcherId: ada }]
    await taskOf(tenant, { title: 'first', boardId, assigneeId: bob, watchers })
    await taskOf(tenant, { title: '"user:', boardId })
    const query = `{
      tasks { nodes { title assigneeName again: assigneeName watchers { watcherName } board { ownerName } } }
      boards { edges { node { ownerName tasks { nodes { assigneeName } } } } }
    }`
    const { body } = await tenant.user.post('/graphql', { query })
    const [name, ofAda] = ['bob', { ownerName: 'ada' }]
    assert.deepEqual(body, {
      data: {
        tasks: {
          nodes: [
            {
              title: 'first',
              assigneeName: name,
              again: name,
              board: ofAda,
              watchers: [{ watcherName: name }, { watcherName: 'ada' }],
            },
            { title: '"user:', assigneeName: null, again: null, watchers: [], board: ofAda },
          ],
        },
        boards: {
          edges: [
            {
              node: {
                ownerName: 'ada',
                tasks: { nodes: [{ assigneeName: name }, { assigneeName: null }] },
              },
            },
          ],
        },
      },
    })
  })

  it('reads all names of an operation by one statement', async () => {
    const tenant = await service.newTenant()
    const [ada, bob] = await peopleOf(tenant, 'ada', 'bob')
    const boardId = await boardOf(tenant, ada)
    for (const assigneeId of [ada, bob, ada, bob]) await taskOf(tenant, { title: 'x', boardId, assigneeId })
    const { gateway, prepare, recording } = await recorderOf(service, tenant)
    const asked: (readonly string[])[] = []
    const { context, sent } = recording()
    const { users } = context.shared
    const named = (id: string, ids: readonly string[]) => {
      asked.push(ids)
      return users.named(id, ids)
    }
    const counting: Context = Object.create(context, {
      shared: { value: { ...context.shared, users: { ...users, named } } },
    })
    const run = async (asking: string) => {
      const { json, reservation } = await gateway.run(counting, gateway.invocation(await prepare(asking), {}))
      reservation?.release()
      return JSON.parse([json].flat().join(''))
    }
    const query = '{ tasks { nodes { assigneeName board { ownerName } } } boards { nodes { ownerName } } }'
    const { data } = await run(query)
    assert.deepEqual(
      data.tasks.nodes.map(({ assigneeName }: { assigneeName: string }) => assigneeName),
      ['ada', 'bob', 'ada', 'bob'],
    )
    assert.deepEqual(
      asked.map((ids) => ids.toSorted()),
      [[ada, bob].toSorted()],
    )
    assert.equal(sent.length, 2)
    await run('{ tasks { nodes { title } } }')
    assert.equal(asked.length, 1)
  })

  it('shows names in no filter, and in no subscription', async () => {
    const tenant = await service.newTenant()
    const errorOf = async (query: string) => (await tenant.user.post('/graphql', { query })).body.errors[0]
    const filter = await errorOf('{ tasks(where: { assigneeName: { eq: "ada" } }) { nodes { title } } }')
    assert.match(filter.message, /assigneeName/)
    const hidden = await errorOf('{ tasks { nodes { secretName } } }')
    assert.equal(hidden.message, 'secretName: reading it requires the permission task:secret.')
    const live = await tenant.user.post(
      '/graphql',
      { query: 'subscription { onTaskCreated { assigneeName } }' },
      { accept: 'text/event-stream' },
    )
    assert.match(live.text, /A subscription cannot select \w+Name, which is made after the read/)
  })

  it('refuses a user of nobody in the rows of a list', async () => {
    const tenant = await service.newTenant()
    const [ada] = await peopleOf(tenant, 'ada')
    const boardId = await boardOf(tenant, ada)
    const watchers = [{ watcherId: ada }, { watcherId: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' }]
    const refused = await tenant.admin.post('/api/tasks', { title: 'x', boardId, watchers })
    assert.deepEqual([refused.status, refused.body.message], [400, 'watchers.1.watcherId: names no user'])
  })

  for (const place of ['shared', 'own'] as const)
    it(`is cleared, or kept, when the user is deleted: rows in the ${place} database`, async () => {
      const name = uniqueName('own').replaceAll('-', '_')
      const members = place === 'own' ? { connectionString: own.connectionString(name) } : {}
      const tenant = await service.newTenant(members)
      const [ada, bob] = await peopleOf(tenant, 'ada', 'bob')
      const boardId = await boardOf(tenant, ada)
      const both = await taskOf(tenant, {
        title: 'a',
        boardId,
        assigneeId: ada,
        reviewerId: ada,
        authorId: ada,
      })
      const other = await taskOf(tenant, { title: 'b', boardId, assigneeId: bob, reviewerId: ada })
      assert.equal((await tenant.admin.delete(`/api/users/${ada}`)).status, 204)
      const row = async (id: string) => (await tenant.admin.get(`/api/tasks/${id}`)).body
      await eventually(
        'cleared',
        soonMs,
        async () => (await row(other)).reviewerId === null && (await row(both)).reviewerId === null,
      )
      const [first, second] = [await row(both), await row(other)]
      assert.deepEqual([first.assigneeId, first.authorId], [null, ada])
      assert.equal(second.assigneeId, bob)
      const { body } = await tenant.admin.post('/graphql', {
        query: `{ task(id: "${both}") { assigneeName authorName } board(id: "${boardId}") { ownerName } }`,
      })
      assert.deepEqual(body.data, {
        task: { assigneeName: null, authorName: null },
        board: { ownerName: null },
      })
      const { body: entries } = await tenant.admin.get('/api/audit?action=task.updated')
      assert.ok(entries.length >= 2, 'the changes are audited')
    })
})
