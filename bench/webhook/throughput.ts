import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../row/finding.ts'
import { initialize, removeFolder, startService } from '../service.ts'
import { row, subscribe } from './publisher.ts'
import type { Receivers } from './receivers.ts'

const targetPerSecond = 1000

/** The events are there before the service starts: dispatching, sending and recording is all that it does. */
export async function measureThroughput(receivers: Receivers, events: number): Promise<Finding> {
  const first = await startService()
  const { send } = await initialize(first.url)
  await subscribe(send, receivers.url)
  await first.stop()
  insertEvents(first.databaseFile, events)
  await receivers.begin()
  const service = await startService({}, first.folder)
  const { firstMs, lastMs } = await receivers.received(events, 120_000)
  await sleep(500)
  await service.stop()
  const attempts = countRows(
    first.databaseFile,
    "SELECT count(*) AS count FROM attempt WHERE outcome = 'success'",
  )
  removeFolder(first.folder)
  if (attempts !== events) throw new Error(`${attempts} of ${events} attempts are stored.`)
  const rate = events / ((lastMs - firstMs) / 1000)
  return {
    row,
    work: 'deliveries with every attempt stored',
    figure: `${rate.toFixed(0)}/s`,
    target: `≥ ${targetPerSecond}/s`,
    reached: rate >= targetPerSecond,
    detail: `${events} events to one subscription; receivers on the same machine`,
  }
}

function insertEvents(file: string, events: number): void {
  const database = new DatabaseSync(file)
  database
    .prepare(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO event (tenant_id, id, type, data, created_at)
      SELECT 'default', printf('evt_%026d', i), 'thing.happened', '{"orderId":"0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11","total":59.97}',
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      FROM n`)
    .run(events)
  database.close()
}

function countRows(file: string, sql: string): number {
  const database = new DatabaseSync(file)
  try {
    return Number(database.prepare(sql).get()?.['count'])
  } finally {
    database.close()
  }
}
