/** Jobs while the service is killed: each job whose change was acknowledged is done. */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '../support/client.ts'
import { openStore, type Store } from '../support/database/store.ts'
import type { DatabaseName } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { grown, startLoad } from '../support/load.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { project, Workplace } from '../support/process/workplace.ts'

const callers = 4
const maxMs = 200
/** A lease of the application lasts three seconds; jobs of a killed process are run within five seconds more. */
const settleMs = 20_000

export interface JobReport {
  acknowledged: number
  /** Jobs that were done more than once. */
  repeated: number
  /** Jobs that were running at the moments of the kills. */
  interrupted: number
}

/** @param rounds how often the process is killed with `kill -9` @throws Error when a job is lost */
export async function runDespiteKills(
  database: DatabaseName,
  rounds: number,
  perRound: readonly [number, number] = [20, 60],
): Promise<JobReport> {
  await using store = await openStore(database)
  await using place = new Workplace(store.settings)
  const command = [process.execPath, join(project, 'test/jobs/work-app.ts')]
  let service = await place.serve({}, command)
  const { authorization } = await createAdmin(service)
  const acknowledged = new Set<string>()
  const interrupted = new Set<string>()
  let number = 0
  for (let round = 0; round < rounds; round++) {
    const client = new Client(service.url, { authorization })
    const load = startLoad(Array<Client>(callers).fill(client), async (caller) => {
      const items = Array.from({ length: randomInt(1, 5) }, () => ({
        number: ++number,
        ms: randomInt(0, maxMs),
      }))
      const answer = await caller.post('/api/work', { items }).catch(() => null)
      if (answer?.status === 201) for (const item of items) acknowledged.add(`${item.number}`)
      else await delay(20)
    })
    await grown(acknowledged, randomInt(...perRound))
    await service.kill()
    await load.stop()
    for (const id of await running(store)) interrupted.add(id)
    service = await place.serve({}, command)
  }
  const waiting = 'SELECT id FROM queued_job WHERE next_at IS NOT NULL'
  await eventually('an empty queue', settleMs, async () => (await store.rows(waiting)).length === 0)
  await service.stop()
  const done = await doneNumbers(store)
  const lost = [...acknowledged].filter((each) => !done.has(each))
  if (lost.length > 0)
    throw new Error(`${lost.length} of ${acknowledged.size} jobs are lost: ${lost.slice(0, 3)}`)
  const dead = await store.rows("SELECT id FROM queued_job WHERE status <> 'SUCCEEDED'")
  if (dead.length > 0) throw new Error(`${dead.length} jobs have failed.`)
  const repeated = [...done.values()].filter((times) => times > 1).length
  return { acknowledged: acknowledged.size, repeated, interrupted: interrupted.size }
}

/** With the lease, because on PostgreSQL a lease may outlive the next kill. */
async function running({ rows }: Store): Promise<string[]> {
  const found = await rows('SELECT id, lease FROM queued_job WHERE lease IS NOT NULL')
  return found.map(({ id, lease }) => `${id}/${lease}`)
}

async function doneNumbers({ rows }: Store): Promise<Map<string, number>> {
  const done = new Map<string, number>()
  for (const { data } of await rows("SELECT data FROM event WHERE type = 'work.done'")) {
    const text: unknown = typeof data === 'string' ? JSON.parse(data) : data
    const number = String((text as { number: number }).number) // written by the application
    done.set(number, (done.get(number) ?? 0) + 1)
  }
  return done
}
