/** Memberships that end beside writes: a write that was acknowledged had its right when it was committed. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { entity, reference, text, user } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { type Instance, startOther } from '../support/instance.ts'
import { runsOf } from '../support/run/extent.ts'
import { person, startService, type TestService, type TestTenant } from '../support/service.ts'
import { watchCommits } from './commit-watch.ts'
import { migrated } from './migrated.ts'

/** What a write does between its last check and its commit. */
let beforeCommit = async (): Promise<void> => undefined

const team = entity('team', { fields: { name: text() } })
const teamMember = entity('teamMember', { fields: { team: reference(team), member: user() } })
const customer = entity('customer', { fields: { name: text(), owner: user().optional() } })
const ofTeam = entity('ofTeam', {
  plural: 'teamNotes',
  fields: { body: text(), team: reference(team) },
  access: { rows: ({ row, actor }) => row.team.in(actor.via(teamMember, 'member', 'team')) },
  hooks: {
    afterChange: () => beforeCommit(),
    afterCreate: () => beforeCommit(),
    afterDelete: () => beforeCommit(),
  },
})
const ofCustomer = entity('ofCustomer', {
  plural: 'customerNotes',
  fields: { body: text(), customer: reference(customer) },
  access: { rows: ({ row, actor }) => row.at('customer.owner').is(actor.id) },
  hooks: { afterChange: () => beforeCommit() },
})
const onNote = entity('onNote', {
  fields: { note: reference(ofTeam), body: text() },
  hooks: { afterCreate: () => beforeCommit() },
})
const features = migrated([team, teamMember, customer, ofTeam, ofCustomer, onNote])

onEachDatabase('A right that ends beside a write', (database) => {
  let service: TestService
  let other: Instance
  let tenant: TestTenant
  let bob: Client
  let bobId: string
  let teamId: string

  before(async () => {
    service = await startService(database, {}, { features })
    other = await startOther(service, { features })
    tenant = await service.newTenant()
    bobId = (await tenant.admin.post('/api/users', person('bob'))).body.id
    const { accessToken } = await service.signIn('bob', tenant.id)
    bob = other.anonymous.withToken(accessToken)
    teamId = await make('/api/teams', { name: 'red' })
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  const make = async (path: string, body: object): Promise<string> => {
    const made = await tenant.admin.post(path, body)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const join = () => make('/api/team-members', { teamId, memberId: bobId })
  const noteOf = () => make('/api/team-notes', { body: 'first', teamId })
  const waiting = async () => {
    const sql = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    return (await inspect(service.config.databaseUrl, sql)).length > 0
  }

  /**
   * @returns the replies, when the end of the right begins between the last check of a write and its commit; before them
   *   `end waits`, if PostgreSQL holds it up until the commit: the order in which replies arrive does not tell
   */
  const race = async (write: () => Promise<{ status: number }>, end: () => Promise<{ status: number }>) => {
    const replies: string[] = []
    let ended: Promise<unknown> = Promise.resolve()
    beforeCommit = async () => {
      beforeCommit = async () => undefined
      ended = end().then((answer) => replies.push(`end ${answer.status}`))
      if (database === 'postgres')
        await eventually('waits or is done', soonMs, async () => replies.length > 0 || (await waiting()))
      if (database === 'postgres' && replies.length === 0) replies.push('end waits')
    }
    const { status } = await write()
    replies.push(`write ${status}`)
    await ended
    return replies
  }

  it('is waited for by the end of a membership', async () => {
    for (const write of ['change', 'create', 'delete'] as const) {
      const [membership, note] = [await join(), await noteOf()]
      const send = {
        change: () => bob.patch(`/api/team-notes/${note}`, { body: 'second' }),
        create: () => bob.post('/api/team-notes', { body: 'third', teamId }),
        delete: () => bob.delete(`/api/team-notes/${note}`),
      }
      const replies = await race(send[write], () => tenant.admin.delete(`/api/team-members/${membership}`))
      const done = { change: 'write 200', create: 'write 201', delete: 'write 204' }[write]
      assert.deepEqual(
        new Set(replies.filter((each) => each !== 'end waits')),
        new Set([done, 'end 204']),
        write,
      )
      if (database === 'postgres') assert.equal(replies[0], 'end waits', write)
      assert.equal((await send[write]()).status, write === 'create' ? 403 : 404, write)
    }
  })

  it('is waited for by the change of a row that is referred to', async () => {
    const customerId = await make('/api/customers', { name: 'acme', ownerId: bobId })
    const note = await make('/api/customer-notes', { body: 'first', customerId })
    const write = () => bob.patch(`/api/customer-notes/${note}`, { body: 'second' })
    const replies = await race(write, () =>
      tenant.admin.patch(`/api/customers/${customerId}`, { ownerId: null }),
    )
    assert.deepEqual(
      new Set(replies.filter((each) => each !== 'end waits')),
      new Set(['write 200', 'end 200']),
    )
    if (database === 'postgres') assert.equal(replies[0], 'end waits')
    assert.equal((await write()).status, 404)
  })

  it('is waited for where it gives the right to refer to a row', async () => {
    const [membership, noteId] = [await join(), await noteOf()]
    const write = () => bob.post('/api/on-notes', { body: 'x', noteId })
    const replies = await race(write, () => tenant.admin.delete(`/api/team-members/${membership}`))
    assert.deepEqual(
      new Set(replies.filter((each) => each !== 'end waits')),
      new Set(['write 201', 'end 204']),
    )
    if (database === 'postgres') assert.equal(replies[0], 'end waits')
    assert.equal((await write()).status, 400)
  })

  /** Begins one or two writes of Bob. */
  const writing = (note: string, round: number, random: (below: number) => number) =>
    Array.from({ length: 1 + random(2) }, async (_each, index) => {
      await delay(random(4))
      return bob.patch(`/api/team-notes/${note}`, { body: `of bob ${round} ${index}` })
    })

  /** @param membership that exists, or `null` @returns the one afterwards */
  const toggled = async (note: string, membership: string | null): Promise<string | null> => {
    if (membership === null) return join()
    assert.equal((await tenant.admin.delete(`/api/team-members/${membership}`)).status, 204)
    const later = await bob.patch(`/api/team-notes/${note}`, { body: 'after the end' })
    assert.equal(later.status, 404, 'a write that began after the end was acknowledged')
    return null
  }

  it('lets nothing through that the rows contradict at the commit, in random histories', async () => {
    if (database === 'postgres')
      for (const statement of watchCommits('of_team', bobId))
        await inspect(service.config.databaseUrl, statement)
    const rounds = runsOf(30, 300)
    const random = randomOf(rounds)
    const note = await noteOf()
    const statuses = new Set<number>()
    let membership: string | null = await join()
    beforeCommit = async () => void (await delay(random(3)))
    for (let round = 0; round < rounds; round++) {
      const writes = writing(note, round, random)
      await delay(random(4))
      membership = await toggled(note, membership)
      for (const { status } of await Promise.all(writes)) statuses.add(status)
    }
    beforeCommit = async () => undefined
    for (const status of statuses) assert.ok([200, 403, 404].includes(status), `${status}`)
    assert.ok(statuses.has(200) && statuses.size > 1, 'some writes had the right, and others had not')
    if (database !== 'postgres') return
    assert.deepEqual(await inspect(service.config.databaseUrl, 'SELECT body FROM contradiction'), [])
  })
})

/** @returns whole numbers below a bound, the same ones for the same seed */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}
