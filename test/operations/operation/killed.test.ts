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

function carriedOn(begin: () => Promise<Life>, all: boolean): void {
  let life: Life
  before(async () => {
    life = await begin()
  })
  after(() => life[Symbol.asyncDispose]())

  for (const [moment, end] of all ? moves : moves.slice(0, 1))
    it(`is carried on by the next, and ends once: a move, ${end} ${moment}`, async () => {
      const id = `${end}-${moment.length}`
      const { admin } = await newTenant(life, id)
      for (let price = 0; price < 50; price++) await admin().post('/api/products', { name: 'Desk', price })
      const target = { connectionString: `sqlite:${id}.db`, removeAfterSeconds: removeAfterSeconds[moment] }
      await request(`/api/tenants/${id}/move`, target)
      await found(({ phase }) => momentOf[String(phase)] === moment)
      await life.end(end)

      assert.deepEqual(await outcome(), { database: 'sqlite', left: null })
      assert.equal((await life.host.get(`/api/tenants/${id}/database`)).body.kind, 'sqlite')
      assert.equal((await admin().get('/api/products?limit=100')).body.length, 50)
      const { body: records } = await life.host.get('/api/audit/all?action=tenant.moved')
      assert.equal(records.filter(({ subjectId }: { subjectId: string }) => subjectId === id).length, 1)
    })

  if (!all) return

  it('is carried out by the next: an erasure', async () => {
    await newTenant(life, 'gone')
    await life.host.delete('/api/tenants/gone')
    await request('/api/tenants/gone/erase', { confirm: 'gone' })
    await found(({ started_at: startedAt }) => startedAt !== null)
    await life.end('killed')
    await outcome()
    assert.equal((await life.host.get('/api/tenants/gone')).status, 404)
  })

  it('is carried out by the next: a backup', async () => {
    await request('/api/backups')
    await found(({ started_at: startedAt }) => startedAt !== null)
    await life.end('killed')
    const { path } = await outcome()
    assert.deepEqual(readdirSync(join(life.dataDir, 'backups')), [basename(String(path))])
  })

  async function request(path: string, body?: object): Promise<void> {
    const { status, text } = await life.host.post(path, body)
    assert.equal(status, 202, text)
  }

  /** Waits until the operation that was requested last is so. It may not be so for long. */
  async function found(isSo: (operation: Cells) => boolean): Promise<void> {
    const untilMs = performance.now() + soonMs
    await inspectEach(`sqlite:${join(life.dataDir, 'tenantry.db')}`, async (ask) => {
      for (;;) {
        const [operation] = await ask('SELECT * FROM operation WHERE finished_at IS NULL')
        if (operation !== undefined && isSo(operation)) return
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
