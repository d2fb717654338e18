/** Mails while the service is killed: each mail whose change was acknowledged reaches the mail server. */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '../support/client.ts'
import { openStore, type Store } from '../support/database/store.ts'
import type { DatabaseName } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { grown, startLoad } from '../support/load.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { project, Workplace } from '../support/process/workplace.ts'
import { isRunning, startSlowServer, timesTaken } from './slow-server.ts'

const callers = 4
const maxReplyMs = 200
/** A lease of the application lasts five seconds. */
const settleMs = 60_000

export interface MailReport {
  acknowledged: number
  /** Mails that the server has taken more than once. */
  repeated: number
  /** Mails that were being sent at the moments of the kills. */
  interrupted: number
}

/** @param rounds how often the process is killed with `kill -9` @throws Error when a mail is lost */
export async function runDespiteKills(
  database: DatabaseName,
  rounds: number,
  perRound: readonly [number, number] = [20, 60],
): Promise<MailReport> {
  await using store = await openStore(database)
  await using server = await startSlowServer(() => delay(randomInt(0, maxReplyMs)))
  // An interrupted attempt counts.
  const retrySeconds = Array<number>(20).fill(1).join(',')
  const settings = { ...store.settings, SMTP_URL: server.url, MAIL_RETRY_SECONDS: retrySeconds }
  await using place = new Workplace(settings)
  const command = [process.execPath, join(project, 'test/mail/greeting-app.ts')]
  let service = await place.serve({}, command)
  const { authorization } = await createAdmin(service)
  const acknowledged = new Set<string>()
  const interrupted = new Set<string>()
  let last = 0
  for (let round = 0; round < rounds; round++) {
    const client = new Client(service.url, { authorization })
    const load = startLoad(Array<Client>(callers).fill(client), async (caller) => {
      const numbers = Array.from({ length: randomInt(1, 5) }, () => ++last)
      const answer = await caller.post('/api/greetings', { numbers }).catch(() => null)
      if (answer?.status === 201) for (const each of numbers) acknowledged.add(`user${each}@acme.example`)
      else await delay(20)
    })
    await grown(acknowledged, randomInt(...perRound))
    await eventually('a mail on its way', soonMs, async () => server.attempts.some(isRunning))
    await service.kill()
    await load.stop()
    for (const id of await leased(store)) interrupted.add(id)
    service = await place.serve({}, command)
  }
  const waiting = 'SELECT id FROM mail WHERE next_at IS NOT NULL'
  await eventually('an empty queue', settleMs, async () => (await store.rows(waiting)).length === 0)
  await service.stop()
  const taken = timesTaken(server.attempts)
  const lost = [...acknowledged].filter((each) => !taken.has(each))
  if (lost.length > 0)
    throw new Error(`${lost.length} of ${acknowledged.size} mails are lost: ${lost.slice(0, 3)}`)
  const dead = await store.rows("SELECT id FROM mail WHERE status <> 'SENT'")
  if (dead.length > 0) throw new Error(`${dead.length} mails were given up.`)
  const repeated = [...taken.values()].filter((times) => times > 1).length
  return { acknowledged: acknowledged.size, repeated, interrupted: interrupted.size }
}

/** With the lease, because on PostgreSQL a lease may outlive the next kill. */
async function leased({ rows }: Store): Promise<string[]> {
  const found = await rows('SELECT id, lease FROM mail WHERE lease IS NOT NULL')
  return found.map(({ id, lease }) => `${id}/${lease}`)
}
