/** `tenantry access explain` says what the service does, for every caller, row and operation of a small world. */
import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { after, before, it } from 'node:test'
import { pino } from 'pino'
import { explainInLines } from '../../src/cli/access.ts'
import { runWords } from '../../src/cli/command-line.ts'
import { any, entity, like, never, reference, text, user } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import type { Answer, Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { person, startService, type TestService, type TestTenant } from '../support/service.ts'

const team = entity('team', { fields: { name: text() } })
const teamMember = entity('teamMember', { fields: { team: reference(team), member: user() } })
const customer = entity('customer', { fields: { name: text(), owner: user().optional() } })
const ticket = entity('ticket', {
  fields: {
    title: text(),
    customer: reference(customer).optional(),
    team: reference(team).optional(),
    assignee: user().optional(),
    note: text().optional(),
    cost: text().optional(),
  },
  actions: { close: { to: { title: 'closed' } }, touch: { to: { cost: '1' }, access: 'user' } },
  access: {
    rows: {
      read: ({ row, actor }) =>
        any(
          row.assignee.is(actor.id),
          row.at('customer.owner').is(actor.id),
          row.team.in(actor.via(teamMember, 'member', 'team')),
        ),
      create: ({ row, actor }) => any(row.assignee.is(actor.id), row.at('customer.owner').is(actor.id)),
      update: ({ row, actor }) => row.assignee.is(actor.id),
      delete: ({ actor }) => actor.may('ticket:assignee'),
      close: ({ row, actor }) => row.at('customer.owner').is(actor.id),
    },
    fields: {
      note: { read: 'ticket:internal' },
      cost: { write: never },
      assignee: { read: 'ticket:assignee' },
    },
  },
})
const comment = entity('comment', {
  fields: { ticket: reference(ticket), body: text() },
  access: { rows: like('ticket') },
})
const draft = entity('draft', {
  fields: { title: text(), owner: user() },
  access: { rows: ({ row, actor }) => row.owner.is(actor.id) },
})
const features = migrated([team, teamMember, customer, ticket, comment, draft])

interface Row {
  entity: 'ticket' | 'comment' | 'customer'
  path: string
  id: string
  body: Record<string, unknown>
}

onEitherDatabase('tenantry access explain', (database) => {
  let service: TestService
  let tenant: TestTenant
  const callers = new Map<string, Client>()
  const rows: Row[] = []
  const logged: Record<string, unknown>[] = []
  const ids: Record<string, string> = {}

  const make = async (path: string, body: object): Promise<string> => {
    const made = await tenant.admin.post(path, body)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }

  before(async () => {
    const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) })
    service = await startService(database, {}, { features, log })
    tenant = await service.newTenant()
    const rest = ['ticket:assignee', 'ticket:write', 'ticket:read', 'comment:read']
    const roles = {
      Blind: ['customer:read'],
      Remover: rest,
      Seer: ['ticket:all', 'ticket:read', 'ticket:internal'],
    }
    for (const [name, permissions] of Object.entries(roles))
      assert.equal(
        (await tenant.admin.post('/api/roles', { name, description: name, permissions })).status,
        201,
      )
    for (const [name, role] of Object.entries({
      ada: 'User',
      bob: 'User',
      eve: 'Blind',
      fay: 'Remover',
      gus: 'Seer',
    })) {
      ids[name] = await make('/api/users', person(name, { roles: [role] }))
      callers.set(name, (await service.signIn(name, tenant.id)).client)
    }
    callers.set('boss', tenant.admin)
    const red = await make('/api/teams', { name: 'red' })
    for (const memberId of [ids['bob'], ids['fay']])
      await make('/api/team-members', { teamId: red, memberId })
    const acme = await make('/api/customers', { name: 'acme', ownerId: ids['ada'] })
    for (const body of [
      { title: 'of ada', assigneeId: ids['ada'], note: 'secret' },
      { title: 'of acme', customerId: acme },
      { title: 'of red', teamId: red, customerId: acme },
      { title: 'of bob', teamId: red, assigneeId: ids['bob'] },
      { title: 'of nobody' },
    ]) {
      const ticketId = await make('/api/tickets', body)
      rows.push({ entity: 'ticket', path: '/api/tickets', id: ticketId, body })
      const said = { ticketId, body: 'x' }
      rows.push({
        entity: 'comment',
        path: '/api/comments',
        id: await make('/api/comments', said),
        body: said,
      })
    }
    rows.push({ entity: 'customer', path: '/api/customers', id: acme, body: { name: 'acme' } })
  })
  after(() => service.stop())

  const explain = async (name: string, as: string, op: string, id: string | null) => {
    const context = await service.service.operator()
    const found = { ...context.tenant, id: tenant.id }
    const lines = await explainInLines({ context, features: service.service.features }, found, {
      name,
      as,
      op,
      id,
    })
    return { lines, answer: lines.at(-1)?.replace('Answer: ', '') }
  }

  const statusOf = (answer: string | undefined): string =>
    ({ allowed: '2', 'refused (403)': '403', 'no such row for the user (404)': '404' })[answer ?? ''] ?? '?'

  /** A row that was deleted is made again. */
  const attempt: Record<string, (caller: Client, row: Row) => Promise<Answer>> = {
    close: (caller, { path, id }) => caller.post(`${path}/${id}/close`),
    touch: (caller, { path, id }) => caller.post(`${path}/${id}/touch`),
    read: (caller, { path, id }) => caller.get(`${path}/${id}`),
    update: (caller, { path, id }) => caller.patch(`${path}/${id}`, {}),
    create: async (caller, { path, body }) => {
      const { note: _note, assigneeId, ...others } = body
      const answer = await caller.post(path, assigneeId === undefined ? others : { ...others, assigneeId })
      if (answer.status === 201) await tenant.admin.delete(`${path}/${answer.body.id}`)
      return answer
    },
    delete: async (caller, row) => {
      const answer = await caller.delete(`${row.path}/${row.id}`)
      if (answer.status === 204) row.id = await make(row.path, row.body)
      return answer
    },
  }

  const attemptOf = (operation: string) => {
    const made = attempt[operation]
    assert.ok(made, operation)
    return made
  }

  const agrees = async (as: string, caller: Client, operation: string, row: Row) => {
    const { answer, lines } = await explain(row.entity, as, operation, row.id)
    const { status, text: reply } = await attemptOf(operation)(caller, row)
    // Whoever does not read the assignee does not give one, and a comment on a row out of reach names no ticket.
    if (operation === 'create' && (status === 400 || reply.includes('ticket:assignee'))) return
    const seen = `${status}`.startsWith('2') ? '2' : `${status}`
    const place = `${as} ${operation} ${row.entity} ${JSON.stringify(row.body)}: ${reply}\n${lines.join('\n')}`
    assert.equal(seen, statusOf(answer), place)
  }

  for (const operation of ['read', 'update', 'create'] as const)
    it(`agrees with the service: ${operation}`, async () => {
      for (const [as, caller] of callers) for (const row of rows) await agrees(as, caller, operation, row)
    })

  for (const action of ['close', 'touch'])
    it(`agrees with the service: the action ${action}`, async () => {
      const tickets = rows.filter(({ entity: name }) => name === 'ticket')
      for (const [as, caller] of callers) for (const row of tickets) await agrees(as, caller, action, row)
    })

  it('names the rule of an action, and what is kept', async () => {
    const id = rows.find(({ body }) => body['title'] === 'of acme')?.id ?? null
    const own = await explain('ticket', 'ada', 'close', id)
    assert.match(own.lines.join('\n'), /^Rule of close: true$/m)
    assert.match(own.lines.join('\n'), /^Rule of keep: true, which is that of read and close$/m)
    assert.equal(own.answer, 'allowed')
    const changing = await explain('ticket', 'ada', 'touch', id)
    assert.match(changing.lines.join('\n'), /^Rule of update: false$/m)
    assert.match(changing.lines.join('\n'), /^Rule of keep: false, which is that of read and update$/m)
    assert.equal(changing.answer, 'refused (403)')
  })

  it('agrees with the service: delete', async () => {
    const free = rows.filter(({ entity: name }) => name === 'comment')
    for (const [as, caller] of callers) for (const row of free) await agrees(as, caller, 'delete', row)
    for (const { path, id } of free) await tenant.admin.delete(`${path}/${id}`)
    const tickets = rows.filter(({ entity: name }) => name === 'ticket')
    for (const [as, caller] of callers) for (const row of tickets) await agrees(as, caller, 'delete', row)
  })

  it('shows the branches for the row, and no value that is hidden from the user', async () => {
    const [ofAda] = rows
    const shown = (await explain('ticket', 'ada', 'read', ofAda?.id ?? null)).lines.join('\n')
    assert.match(shown, /^Permission ticket:read: held$/m)
    assert.match(shown, /^Permission ticket:all, which reaches every row: not held$/m)
    assert.match(
      shown,
      /^Rule of read: true\n {2}true: any of\n {4}true: assignee_id is \S+ \(the row has a hidden value\)$/m,
    )
    assert.match(
      shown,
      /^ {4}false: customer_id refers to a customer, of which: owner_id is \S+ \(the row has null\)$/m,
    )
    assert.match(shown, /^ {4}false: team_id is the team_id of a team_member whose member_id is the caller/m)
    assert.match(shown, /^Hidden members: assigneeId, note$/m)
    assert.match(shown, /^Members that the user does not write: assigneeId, note, cost$/m)
    assert.match(shown, /^SQL: select "?ticket"?\."?id"? from "ticket" where /m)
    assert.match(shown, /^Plan:\n {2}\S/m)
    assert.doesNotMatch(shown, /secret/)
  })

  it('says what depends on the row, and what does not', async () => {
    assert.equal(
      (await explain('ticket', 'ada', 'read', null)).answer,
      'depends on the row; name one with --id',
    )
    assert.equal((await explain('ticket', 'ada', 'delete', null)).answer, 'refused (403)')
    assert.equal((await explain('ticket', 'gus', 'read', null)).answer, 'allowed')
    assert.equal((await explain('customer', 'ada', 'read', null)).answer, 'allowed')
    const none = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
    assert.equal(statusOf((await explain('ticket', 'boss', 'read', none)).answer), '404')
  })

  it('says what decides who is told of events, as the log of the start does', async () => {
    const said = async (name: string) => (await explain(name, 'ada', 'read', null)).lines.join('\n')
    const byDatabase = /^Events: what the database has when an event is sent decides who is told of it$/m
    for (const name of ['ticket', 'comment']) assert.match(await said(name), byDatabase)
    assert.match(await said('draft'), /^Events: the values that an event keeps decide who is told of it$/m)
    assert.doesNotMatch(await said('customer'), /^Events/m)
    const told = logged.filter(({ msg }) => msg === 'rules of rows decide who is told of events')
    const [{ byValues, byDatabase: asked } = assert.fail()] = told as {
      byValues: string[]
      byDatabase: string[]
    }[]
    assert.deepEqual([byValues.includes('draft'), asked], [true, ['ticket', 'comment']])
  })

  it('is a command', async () => {
    const { config } = service
    const written: string[] = []
    const output = new Writable({
      decodeStrings: false,
      write: (line: string, _encoding, done) => {
        written.push(line)
        done()
      },
    })
    const surroundings = {
      environment: {
        DATA_DIR: config.dataDir,
        DATABASE_URL: config.databaseUrl,
        MASTER_KEY: Buffer.from(config.masterKey).toString('base64'),
      },
      folder: config.dataDir,
      input: Readable.from(['']),
      output,
      errors: output,
    }
    const run = (words: string) => runWords(words.split(' '), { features }, surroundings)
    assert.equal(await run(`access explain ticket --as bob --op update --tenant ${tenant.id}`), 0)
    assert.equal(written[0], `ticket, update, as bob of ${tenant.id}\n`)
    assert.equal(written.at(-1), 'Answer: depends on the row; name one with --id\n')
    for (const [words, reason] of [
      [`access explain tickt --as bob --tenant ${tenant.id}`, /no entity tickt/],
      ['access explain ticket --as bob --tenant none', /no tenant none/],
      [
        `access explain ticket --as bob --op change --tenant ${tenant.id}`,
        /--op is one of read, .*, delete, close, touch\./,
      ],
      [`access explain ticket --as bob --id 5 --tenant ${tenant.id}`, /--id is the id/],
      [`access explain ticket --as zoe --tenant ${tenant.id}`, /no such user/i],
    ] as const)
      await assert.rejects(() => run(words), reason)
  })
})
