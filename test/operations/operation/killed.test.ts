/** A process that is killed in the middle of an operation. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../support/client.ts'
import { type Cells, inspectEach } from '../../support/database/inspect.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { triesAll } from '../../support/run/extent.ts'
import { person } from '../../support/service.ts'
import { type Life, liveApart, liveHere } from './life.ts'

/** For the last phase, which takes as long. */
const removeAfterSeconds = { 'before its switch': 0, 'while it removes what is left': 10 }

const momentOf: Record<string, keyof typeof removeAfterSeconds> = {
  copying: 'before its switch',
  verified: 'before its switch',
  switching: 'before its switch',
  removing: 'while it removes what is left',
}

const moves = [
  ['before its switch', 'killed'],
  ['while it removes what is left', 'killed'],
  ['while it removes what is left', 'stopped'],
] as const

describe('An operation whose process ends', () => carriedOn(liveHere, true))

/** One kill stands for the others: what it leaves is what the copies above hold. */
describe('An operation of a process of its own', () => carriedOn(liveApart, triesAll))

const hasStarted = ({ started_at: startedAt }: Cells): boolean => startedAt !== null

function carriedOn(begin: () => Promise<Life>, all: boolean): void {
  let life: Life
  before(async () => {
    life = await begin()
  })
  after(() => life[Symbol.asyncDispose]())

  for (const [moment, end] of all ? moves : moves.slice(0, 1))
    it(`is carried on by the next, and ends once: a move, ${end} ${moment}`, async () => {
      const { id, admin } = await caught(
        (turn) => beginMove(`${end}-${moment.length}-${turn}`, moment),
        ({ phase }) => momentOf[String(phase)] === moment,
      )
      await life.end(end)

      assert.deepEqual(await outcome(), { database: 'sqlite', left: null })
      assert.equal((await life.host.get(`/api/tenants/${id}/database`)).body.kind, 'sqlite')
      assert.equal((await admin().get('/api/products?limit=100')).body.length, 50)
      const { body: records } = await life.host.get('/api/audit/all?action=tenant.moved')
      assert.equal(records.filter(({ subjectId }: { subjectId: string }) => subjectId === id).length, 1)
    })

  if (!all) return

  it('is carried out by the next: an erasure', async () => {
    const id = await caught(async (turn) => {
      const gone = `gone-${turn}`
      await newTenant(life, gone)
      await life.host.delete(`/api/tenants/${gone}`)
      await request(`/api/tenants/${gone}/erase`, { confirm: gone })
      return gone
    }, hasStarted)
    await life.end('killed')
    await outcome()
    assert.equal((await life.host.get(`/api/tenants/${id}`)).status, 404)
  })

  it('is carried out by the next: a backup', async () => {
    const requested = await caught(async (turn) => {
      await request('/api/backups')
      return turn
    }, hasStarted)
    await life.end('killed')
    const { path } = await outcome()
    const kept = readdirSync(join(life.dataDir, 'backups'))
    assert.deepEqual([kept.length, kept.includes(basename(String(path)))], [requested, true])
  })

  async function beginMove(id: string, moment: keyof typeof removeAfterSeconds) {
    const { admin } = await newTenant(life, id)
    for (let price = 0; price < 50; price++) await admin().post('/api/products', { name: 'Desk', price })
    const target = { connectionString: `sqlite:${id}.db`, removeAfterSeconds: removeAfterSeconds[moment] }
    await request(`/api/tenants/${id}/move`, target)
    return { id, admin }
  }

  async function request(path: string, body?: object): Promise<void> {
    const { status, text } = await life.host.post(path, body)
    assert.equal(status, 202, text)
  }

  /** Begins others until one is so: on a busy machine one may be over before anybody looks. @param turn from 1 */
  async function caught<T>(
    start: (turn: number) => Promise<T>,
    isSo: (operation: Cells) => boolean,
  ): Promise<T> {
    for (let turn = 1; turn <= 20; turn++) {
      const started = await start(turn)
      if (await becomes(isSo)) return started
    }
    throw new Error('Twenty operations ended before they were seen.')
  }

  /** @returns whether the operation that was requested last was so before it ended */
  async function becomes(isSo: (operation: Cells) => boolean): Promise<boolean> {
    const untilMs = performance.now() + soonMs
    return inspectEach(`sqlite:${join(life.dataDir, 'tenantry.db')}`, async (ask) => {
      for (;;) {
        const [operation] = await ask('SELECT * FROM operation WHERE finished_at IS NULL')
        if (operation === undefined) return false
        if (isSo(operation)) return true
        assert.ok(performance.now() < untilMs, JSON.stringify(operation))
        await delay(2)
      }
    })
  }

  /** Of the operation that was requested last. */
  async function outcome(): Promise<Record<string, unknown>> {
    const last = async () => (await life.host.get('/api/operations')).body[0]
    await eventually('the end', 6 * soonMs, async () => (await last()).finishedAt !== null)
    const { status, error, result } = await last()
    assert.deepEqual([status, error], ['DONE', null])
    return result
  }
}

/** @returns its administrator, at whoever serves */
async function newTenant(life: Life, id: string): Promise<{ admin: () => Client }> {
  const made = await life.host.post('/api/tenants', { id, name: id, admin: person('boss') })
  assert.equal(made.status, 201, made.text)
  const boss = { userName: 'boss', password: person('boss')['password'] }
  const signedIn = await life.anonymous.post('/api/auth/login', boss, { 'x-tenant-id': id })
  return { admin: () => life.anonymous.withToken(signedIn.body.accessToken) }
}
