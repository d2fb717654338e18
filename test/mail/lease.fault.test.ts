/** A mail whose instance is killed or stands still: another one sends it, and never both at once. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '../support/client.ts'
import { openStore, type Store } from '../support/database/store.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { project, type RunningService, Workplace } from '../support/process/workplace.ts'
import { isRunning, type MailAttempt, startSlowServer, timesTaken } from './slow-server.ts'

const command = [process.execPath, `${project}/test/mail/greeting-app.ts`]
const withinMs = 30_000
const replyMs = 500
const [first, second] = ['first@acme.example', 'second@acme.example']

onEachDatabase('A mail whose instance is killed', (database) => {
  it('is sent by another instance when its lease has ended, and never by two at once', async () => {
    await using store = await openStore(database)
    await using server = await startSlowServer(() => delay(replyMs))
    await using place = new Workplace({ ...store.settings, SMTP_URL: server.url })
    const killed = await place.serve({ MAIL_FROM: first }, command)
    const { authorization } = await createAdmin(killed)
    const serveOther = () => place.serve({ MAIL_FROM: second }, command)
    // On SQLite a second instance starts when the first one has ended.
    let other = database === 'postgres' ? await serveOther() : null
    const numbers = Array.from({ length: 24 }, (_, index) => index)
    await greet(killed, authorization, numbers)
    const isSending = async () => server.attempts.some((each) => each.from === first && isRunning(each))
    await eventually('mails on their way', withinMs, isSending)
    await killed.kill()
    const leaseEnds = await leaseEndsOf(store)
    other ??= await serveOther()
    await isIdle(store)
    await other.stop()

    const { attempts } = server
    assert.equal(timesTaken(attempts).size, numbers.length)
    assertApart(attempts)
    const interrupted = attempts.filter(({ from, isTaken }) => from === first && !isTaken)
    assert.ok(interrupted.length > 0)
    for (const { to } of interrupted) {
      const again = attempts.find((each) => each.to === to && each.from === second)
      assert.ok(again)
      // A process that opens a file of SQLite knows that nobody else sends its mails.
      if (database === 'postgres') assert.ok(again.beganAtMs >= (leaseEnds.get(to) ?? Infinity), to)
    }
  })
})

it('A mail whose instance stands still is sent by another one, whose outcome counts', async () => {
  await using store = await openStore('postgres')
  const arrived = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  await using server = await startSlowServer(async ({ from }) => {
    if (from !== first) return
    arrived.resolve()
    await stopped.promise
  })
  await using place = new Workplace({ ...store.settings, SMTP_URL: server.url })
  const still = await place.serve({ MAIL_FROM: first }, command)
  const { authorization } = await createAdmin(still)
  await greet(still, authorization, [1])
  await arrived.promise
  still.process.kill('SIGSTOP')
  stopped.resolve()
  const other = await place.serve({ MAIL_FROM: second }, command)
  await isIdle(store)
  const outcome = 'SELECT status, attempts, sent_at, error, lease FROM mail'
  const [sent] = await store.rows(outcome)
  assert.deepEqual([sent?.['status'], Number(sent?.['attempts']), sent?.['lease']], ['SENT', 2, null])
  assert.deepEqual(
    server.attempts.map(({ from }) => from),
    [first, second],
  )
  assertApart(server.attempts)
  still.process.kill('SIGCONT')
  await still.stop()
  await other.stop()
  assert.deepEqual(await store.rows(outcome), [sent])
  assert.equal(server.attempts.length, 2)
})

async function greet({ url }: RunningService, authorization: string, numbers: number[]): Promise<void> {
  const { status, text } = await new Client(url, { authorization }).post('/api/greetings', { numbers })
  assert.equal(status, 201, text)
}

/** By recipient, in milliseconds of Unix time. */
async function leaseEndsOf({ rows }: Store): Promise<Map<unknown, number>> {
  const leased = await rows('SELECT recipient, next_at FROM mail WHERE lease IS NOT NULL')
  return new Map(leased.map(({ recipient, next_at: at }) => [recipient, Date.parse(String(at))]))
}

function isIdle({ rows }: Store): Promise<number> {
  const waiting = 'SELECT id FROM mail WHERE next_at IS NOT NULL'
  return eventually('an empty queue', withinMs, async () => (await rows(waiting)).length === 0)
}

/** Of one mail, each attempt has ended before the next one begins. */
function assertApart(attempts: readonly MailAttempt[]): void {
  for (const ofOne of Map.groupBy(attempts, ({ to }) => to).values()) {
    const sorted = ofOne.toSorted((one, other) => one.beganAtMs - other.beganAtMs)
    for (const [place, { beganAtMs }] of sorted.entries())
      assert.ok(place === 0 || beganAtMs >= (sorted[place - 1]?.endedAtMs ?? Infinity))
  }
}
