/** A job whose instance is killed or stands still: another one runs it, and never both at once. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Client } from '../support/client.ts'
import { openStore, type Store } from '../support/database/store.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { project, type RunningService, Workplace } from '../support/process/workplace.ts'

const command = [process.execPath, `${project}/test/jobs/work-app.ts`]
/** A lease of the application. */
const leaseMs = 3000
const withinMs = 20_000
const jobs = 12

interface Attempt {
  number: number
  pid: number
  beganAtMs: number
  endedAtMs: number
}

onEachDatabase('A job whose instance is killed', (database) => {
  it('is run by another instance when its lease has ended, and never by two at once', async () => {
    await using store = await openStore(database)
    await using place = new Workplace(store.settings)
    const first = await place.serve({}, command)
    const { authorization } = await createAdmin(first)
    // On SQLite a second instance starts when the first one has ended.
    let second = database === 'postgres' ? await place.serve({}, command) : null
    await enqueue(first, authorization, Array(jobs).fill(leaseMs / 2))
    await eventually('running jobs', withinMs, async () => (await leases(store)).length > 0)
    const interrupted = await leases(store)
    await first.kill()
    const killedAtMs = Date.now()
    second ??= await place.serve({}, command)
    await isIdle(store)
    await second.stop()

    const attempts = await attemptsOf(store)
    for (let number = 0; number < jobs; number++) assert.ok(attempts.some((each) => each.number === number))
    assertApart(attempts)
    const again = attempts.filter(({ beganAtMs }) => beganAtMs >= killedAtMs)
    assert.ok(again.every(({ pid }) => pid === second.process.pid))
    assert.ok(interrupted.length > 0)
  })
})

it('A job whose instance stands still is run by another one, whose outcome counts', async () => {
  await using store = await openStore('postgres')
  await using place = new Workplace(store.settings)
  const first = await place.serve({}, command)
  const { authorization } = await createAdmin(first)
  await enqueue(first, authorization, [leaseMs / 2])
  await eventually('the running job', withinMs, async () => (await leases(store)).length === 1)
  first.process.kill('SIGSTOP')
  const stoppedAtMs = Date.now()
  const second = await place.serve({}, command)
  await isIdle(store)
  const [attempt, ...others] = await attemptsOf(store)
  assert.deepEqual([attempt?.pid, others.length], [second.process.pid, 0])
  assert.ok((attempt?.beganAtMs ?? 0) > stoppedAtMs)
  first.process.kill('SIGCONT')
  await eventually('the late end', withinMs, async () => (await attemptsOf(store)).length === 2)
  await first.stop()
  await second.stop()
  const rows = await store.rows('SELECT status, attempts, lease FROM queued_job')
  assert.deepEqual(
    rows.map(({ status, attempts, lease }) => [status, Number(attempts), lease]),
    [['SUCCEEDED', 2, null]],
  )
})

async function enqueue({ url }: RunningService, authorization: string, ms: number[]): Promise<void> {
  const items = ms.map((each, number) => ({ number, ms: each }))
  const { status, text } = await new Client(url, { authorization }).post('/api/work', { items })
  assert.equal(status, 201, text)
}

function leases({ rows }: Store): Promise<object[]> {
  return rows('SELECT id FROM queued_job WHERE lease IS NOT NULL')
}

function isIdle({ rows }: Store): Promise<number> {
  const waiting = 'SELECT id FROM queued_job WHERE next_at IS NOT NULL'
  return eventually('an empty queue', withinMs, async () => (await rows(waiting)).length === 0)
}

async function attemptsOf({ rows }: Store): Promise<Attempt[]> {
  const events = await rows("SELECT data FROM event WHERE type = 'work.done'")
  return events.map(({ data }) => (typeof data === 'string' ? JSON.parse(data) : data))
}

/** Of one job, each attempt has ended before the next one begins. */
function assertApart(attempts: readonly Attempt[]): void {
  for (const ofOne of Map.groupBy(attempts, ({ number }) => number).values()) {
    const sorted = ofOne.toSorted((one, other) => one.beganAtMs - other.beganAtMs)
    for (const [place, { beganAtMs }] of sorted.entries())
      assert.ok(place === 0 || beganAtMs >= (sorted[place - 1]?.endedAtMs ?? 0))
  }
}
