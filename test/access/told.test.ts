/** What is told beside replies with rows: events, webhooks, live fields, descriptions, and the audit. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { EventReader } from '../support/graphql/event-reader.ts'
import { uniqueName } from '../support/service.ts'
import { ruledNames } from './application.ts'
import { fieldRules, readsMember, refusedAtDoor, visibleRows } from './oracle.ts'
import { type Caller, readWorld, type Scene, startScene } from './scene.ts'
import { writeWays } from './ways.ts'

onEitherDatabase('What is told of rows with rules', (database) => {
  let scene: Scene
  before(async () => {
    scene = await startScene(database)
  })
  after(() => scene.service.stop())

  const named = (name: string): Caller => {
    const found = scene.callers.find((each) => each.name === name)
    assert.ok(found)
    return found
  }

  const liveFields = writeWays
    .filter((way) => way.startsWith('Subscription.'))
    .map((way) => way.split('.')[1] ?? '')

  /** Rows of entities that are not live, of each kind of rule: of an own column, of a permission, of another row. */
  async function rowsOfAll(): Promise<Record<string, string[]>> {
    const { client: admin } = scene.admin
    const made: Record<string, string[]> = { parcel: [], report: [], notice: [], comment: [] }
    for (const userId of scene.userIds) {
      made['parcel']?.push(await madeBy(admin, '/api/parcels', { label: 'told', holderId: userId }))
      made['report']?.push(await madeBy(admin, '/api/reports', { title: 'told', authorId: userId }))
    }
    const teamId = await madeBy(admin, '/api/teams', { name: 'told' })
    await madeBy(admin, '/api/memberships', { teamId, memberId: named('partial').userId })
    for (const more of [{}, { teamId }])
      made['notice']?.push(await madeBy(admin, '/api/notices', { title: 'told', ...more }))
    for (const ticketId of await ticketsOfAll())
      made['comment']?.push(await madeBy(admin, '/api/comments', { ticketId, body: 'told' }))
    return made
  }

  const changes: Readonly<Record<string, object>> = {
    parcel: { label: 'changed' },
    report: { title: 'changed' },
    notice: { title: 'changed' },
    comment: { body: 'changed' },
  }

  async function requireRefusal(field: string, caller: Caller): Promise<void> {
    const query = `subscription { ${field} { id } }`
    const { text } = await caller.client.post('/graphql', { query }, { accept: 'text/event-stream' })
    assert.match(text, /AUTH_NOT_AUTH(ORIZED|ENTICATED)/, `${field} by ${caller.name}`)
  }

  it('by live fields of an entity that is not live is told to those who reach the row', async () => {
    const { client: admin } = scene.admin
    const rows = await rowsOfAll()
    const world = await readWorld(scene)
    const causes: Readonly<Record<string, (path: string, entity: string) => Promise<Answer>>> = {
      Updated: (path, entity) => admin.patch(path, changes[entity] ?? {}),
      Deleted: (path) => admin.delete(path),
    }
    const cases = Object.entries(rows).flatMap(([entity, ids]) =>
      Object.entries(causes).map(([event, cause]) => ({ entity, ids, event, cause })),
    )
    for (const { entity, ids, event, cause } of cases) {
      const field = `on${capital(entity)}${event}`
      const callers = scene.callers.filter((caller) => refusedAtDoor(caller, entity, 'read') === null)
      for (const caller of scene.callers) if (!callers.includes(caller)) await requireRefusal(field, caller)
      const query = `subscription { ${field} { id } }`
      const readers = await Promise.all(callers.map(({ client }) => EventReader.open(client, { query })))
      for (const id of ids) assert.ok((await cause(`/api/${entity}s/${id}`, entity)).status < 300)
      for (const [place, caller] of callers.entries()) {
        const visible = new Set(visibleRows(caller, entity, world).map(({ id }) => id))
        const told = ids.filter((id) => visible.has(id)).map((id) => ({ data: { [field]: { id } } }))
        await assertTold(readers[place], told, `${field} to ${caller.name}`)
      }
    }
  })

  /** Tickets that callers reach in every way, and some that no caller does. */
  async function ticketsOfAll(): Promise<string[]> {
    const { client: admin } = scene.admin
    const [team, first, second] = [
      await madeBy(admin, '/api/teams', { name: 'live' }),
      await madeBy(admin, '/api/clients', { name: uniqueName('live'), ownerId: named('customer').userId }),
      await madeBy(admin, '/api/clients', { name: uniqueName('live') }),
    ]
    await madeBy(admin, '/api/memberships', { teamId: team, memberId: named('member').userId })
    const tickets: string[] = []
    for (const members of [
      { clientId: first },
      { clientId: second },
      { clientId: second, teamId: team },
      ...scene.userIds.map((assigneeId) => ({ clientId: second, assigneeId })),
      { clientId: first, assigneeId: named('partial').userId, teamId: team },
    ])
      tickets.push(await madeBy(admin, '/api/tickets', { title: 'live', ...members }))
    return tickets
  }

  it('by live fields of an entity that is live is told to those who reach the row', async () => {
    const { client: admin } = scene.admin
    const tickets = await ticketsOfAll()
    const world = await readWorld(scene)
    const causes: Readonly<Record<string, (path: string) => Promise<Answer>>> = {
      onTicketUpdated: (path) => admin.patch(path, { title: 'told' }),
      onTicketClosed: (path) => admin.post(`${path}/close`),
      onTicketDeleted: (path) => admin.delete(path),
    }
    const callers = scene.callers.filter(({ isAnonymous }) => !isAnonymous)
    for (const [field, cause] of Object.entries(causes)) {
      const query = `subscription { ${field}(where: { title: { neq: "other" } }) { id } }`
      const readers = await Promise.all(callers.map(({ client }) => EventReader.open(client, { query })))
      for (const id of tickets) assert.ok((await cause(`/api/tickets/${id}`)).status < 300)
      for (const [place, caller] of callers.entries()) {
        const visible = new Set(visibleRows(caller, 'ticket', world).map(({ id }) => id))
        const told = tickets.filter((id) => visible.has(id)).map((id) => ({ data: { [field]: { id } } }))
        await assertTold(readers[place], told, caller.name)
      }
    }
  })

  it('by live fields of an entity that is live is refused beyond its rows and members', async () => {
    const refusedOf = async ({ client }: Caller, query: string) =>
      (await client.post('/graphql', { query }, { accept: 'text/event-stream' })).text
    for (const field of liveFields.filter((each) => each.startsWith('onTicket'))) {
      const told = await refusedOf(named('anonymous'), `subscription { ${field} { id } }`)
      assert.match(told, /AUTH_NOT_AUTHENTICATED/)
      for (const member of ['note', 'rank', 'score', 'stage']) {
        const where = `(where: { or: [{ ${member}: { neq: null } }] })`
        const hidden = await refusedOf(named('partial'), `subscription { ${field}${where} { id } }`)
        assert.match(hidden, /AUTH_NOT_AUTHORIZED/, `${field} ${member}`)
      }
      if (field === 'onTicketDeleted') continue
      const related = await refusedOf(named('member'), `subscription { ${field} { client { id } } }`)
      assert.match(related, /AUTH_NOT_AUTHORIZED/)
    }
  })

  it('by webhooks is told to those who reach the row', async () => {
    const { client, userId } = named('partial')
    const subscriptions = '/api/webhooks/subscriptions'
    const events = ['*', ...ruledNames.map((name) => `${name}.*`)]
    const subscribed = await client.post(subscriptions, { url: 'https://hooks.example.com/', events })
    assert.equal(subscribed.status, 201, subscribed.text)
    const { body: team } = await scene.admin.client.post('/api/teams', { name: 'before' })
    const others = scene.userIds.filter((id) => id !== userId)
    for (const memberId of [others[0], userId, others[1]]) {
      const made = await scene.admin.client.post('/api/memberships', { teamId: team.id, memberId })
      assert.equal(made.status, 201, made.text)
    }
    await scene.admin.client.post('/api/teams', { name: 'after' })
    const typesOf = async () => {
      const { body } = await client.get('/api/webhooks/deliveries')
      return body.map(({ eventType }: { eventType: string }) => eventType)
    }
    await eventually('the later event', soonMs, async () => (await typesOf()).length > 2)
    assert.deepEqual(await typesOf(), ['team.created', 'membership.created', 'team.created'])
  })

  it('by the audit has no values of hidden members', async () => {
    const { client: admin } = scene.admin
    const { userId } = named('partial')
    const { body: made } = await admin.post('/api/clients', {
      name: 'audited',
      ownerId: userId,
      secret: 'oak',
    })
    const ticket = { title: 'audited', clientId: made.id, note: 'elm', lines: [{ label: 'ash', price: 5 }] }
    const { body: written } = await admin.post('/api/tickets', ticket)
    // The key has no rows of its own: `audit.test.ts`.
    for (const caller of ['partial', 'admin'].map(named))
      for (const [entity, { id }] of Object.entries({ client: made, ticket: written })) {
        const { body } = await caller.client.get(`/api/audit?subjectId=${id}`)
        const detail: Record<string, { isHidden?: true }> = body[0].detail
        const isShown = (member: string) =>
          member === 'lines' ? caller.permissions.has('ticket:internal') : readsMember(caller, entity, member)
        const wrong = Object.keys(detail).filter(
          (member) => isShown(member) === (detail[member]?.isHidden === true),
        )
        assert.deepEqual(wrong, [], `${entity} for ${caller.name}`)
      }
  })

  it('by descriptions is what the caller reads', async () => {
    for (const caller of scene.callers.filter(({ isAnonymous }) => !isAnonymous)) {
      const { body } = await caller.client.get('/api/entities')
      const known = new Map<string, { fields: { name: string }[] }>(
        body.map((each: { name: string }) => [each.name, each] as const),
      )
      for (const [entity, rules] of Object.entries(fieldRules)) {
        const told = known.get(entity)?.fields.map(({ name }) => name) ?? []
        const expected = Object.keys(rules).filter((member) => readsMember(caller, entity, member))
        assert.deepEqual(
          Object.keys(rules).filter((member) => told.includes(member)),
          expected,
          `${entity} for ${caller.name}`,
        )
      }
    }
  })
})

async function assertTold(reader: EventReader | undefined, expected: object[], who: string): Promise<void> {
  assert.ok(reader)
  for (const each of expected) assert.deepEqual((await reader.next()).data, each, who)
  assert.equal(await reader.inbox.nextWithin(20), null, who)
  await reader.close()
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

async function madeBy(client: Client, path: string, members: object): Promise<string> {
  const { status, body, text } = await client.post(path, members)
  assert.equal(status, 201, text)
  return body.id
}
