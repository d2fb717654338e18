/** Uploads and deletions while the service is killed: what was acknowledged is there, and nothing else after the sweep. */
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../../src/core/settings/config.ts'
import { createService } from '../../src/service/service.ts'
import { Client } from '../support/client.ts'
import { openStore } from '../support/database/store.ts'
import type { DatabaseName } from '../support/databases.ts'
import { pdf } from '../support/files/contents.ts'
import { grown, startLoad } from '../support/load.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { Workplace } from '../support/process/workplace.ts'
import { usualOptions } from '../support/service.ts'
import { storedIn, sweep, upload } from './scene.ts'

const uploaders = 6
const maxFileBytes = 1_500_000
/** Longer than the sweep leaves contents without a file, and shorter than it leaves files without a row. */
const laterMs = 2 * 60 * 60 * 1000

export interface KillReport {
  acknowledged: number
  deleted: number
  /** Contents, rows of orphaned contents and incomplete uploads that the kills have left for the sweep. */
  left: number
}

/** @param rounds how often it is killed with `kill -9`, at random moments */
export async function uploadDespiteKills(database: DatabaseName, rounds: number): Promise<KillReport> {
  await using store = await openStore(database)
  await using place = new Workplace(store.settings)
  const dataDir = join(place.folder, 'data')
  const present = new Map<string, string>()
  const acknowledged = new Set<string>()
  const deleted = new Set<string>()
  let service = await place.serve({ DATA_DIR: dataDir })
  const { authorization } = await createAdmin(service)
  for (let round = 0; round < rounds; round++) {
    const client = new Client(service.url, { authorization })
    const load = startLoad(Array<Client>(uploaders).fill(client), async (caller) => {
      const content = Buffer.concat([pdf(), randomBytes(randomInt(1, maxFileBytes))])
      const answer = await upload(caller, content).catch(() => null)
      if (answer?.status !== 201) return delay(5)
      const { id } = answer.body
      acknowledged.add(id)
      if (randomInt(4) > 0) present.set(id, digestOf(content))
      // Not known to be there or not, if the kill comes before the answer.
      else if ((await caller.delete(`/api/files/${id}`).catch(() => null))?.status === 204) deleted.add(id)
    })
    await grown(acknowledged, randomInt(5, 15))
    await delay(randomInt(0, 30))
    await service.kill()
    await load.stop()
    service = await place.serve({ DATA_DIR: dataDir })
  }
  await service.stop()
  const rowIds = async () => new Set((await store.rows('SELECT id FROM file')).map(({ id }) => String(id)))
  const contents = () => storedIn({ dataDir })
  const left = contents().length - (await rowIds()).size
  await sweepLater({ ...store.settings, DATA_DIR: dataDir })

  const rows = await rowIds()
  const stored = contents().map((path) => path.split('/').at(-1) ?? '')
  assert.deepEqual(
    stored.toSorted(),
    [...rows].toSorted(),
    'every content has its row, and every row its content',
  )
  for (const [id, digest] of present) {
    const path = join(dataDir, 'files', 'default', id)
    assert.ok(rows.has(id) && existsSync(path), `${id} is lost`)
    assert.equal(digestOf(readFileSync(path)), digest, `${id} has changed`)
  }
  for (const id of deleted) assert.ok(!rows.has(id), `${id} is back`)
  assert.deepEqual(await store.rows('SELECT id FROM stray_file'), [])
  const [sums] = await store.rows(
    'SELECT (SELECT sum(size) FROM file) AS sizes, (SELECT bytes FROM file_usage) AS bytes',
  )
  assert.equal(Number(sums?.['sizes']), Number(sums?.['bytes']))
  return { acknowledged: acknowledged.size, deleted: deleted.size, left }
}

async function sweepLater(settings: Record<string, string>): Promise<void> {
  const config = loadConfig({ ...settings, PORT: '0' }, settings['DATA_DIR'])
  const clock = () => new Date(Date.now() + laterMs)
  const service = await createService(config, { ...usualOptions, clock })
  try {
    await sweep({ service })
  } finally {
    await service.stop()
  }
}

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
