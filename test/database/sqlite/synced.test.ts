import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { cpSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { newMasterKey } from '../../support/master-key.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { CreatingClients } from '../../support/process/creating-clients.ts'
import { serveHere } from '../../support/process/serve-here.ts'
import { executable, Workplace } from '../../support/process/workplace.ts'
import { runsOf } from '../../support/run/extent.ts'

const rounds = runsOf(1, 2)
const preload = join(import.meta.dirname, 'shadow-log.ts')
/** So few that the log is not restarted: the file beside it stays as it was. */
const acknowledged = { min: 5, max: 40 }
const saltBytes = [16, 24] as const

describe('After kill -9, of a log cut back to its last sync', () => {
  it(`every acknowledged product is there, ${rounds} times over`, async () => {
    const MASTER_KEY = newMasterKey()
    await using place = new Workplace({ MASTER_KEY, LOG_LEVEL: 'warn' })
    const shadow = join(place.folder, 'shadow-wal')
    const command = [process.execPath, '--import', preload, executable, 'serve']
    for (let round = 0; round < rounds; round++) {
      const [data, kept] = [join(place.folder, `data-${round}`), join(place.folder, `kept-${round}`)]
      const service = await place.serve({ DATA_DIR: data, SHADOW_LOG: shadow }, command)
      cpSync(data, kept, { recursive: true }) // what the start has written is on the disk
      const { authorization } = await createAdmin(service)
      const creating = new CreatingClients(authorization)
      const stream = creating.stream(service.url, 6)
      await stream.acknowledged(randomInt(acknowledged.min, acknowledged.max))
      await service.kill()
      await stream.ended

      const log = join(kept, 'tenantry.db-wal')
      const salt = (path: string) => readFileSync(path).subarray(...saltBytes)
      assert.deepEqual(salt(shadow), salt(log), 'the log was restarted')
      renameSync(shadow, log)
      await using again = await serveHere({ MASTER_KEY, DATA_DIR: kept }, place.folder)
      const { body } = await again.anonymous.get('/api/products')
      const names = new Map(body.map(({ id, name }: { id: string; name: string }) => [id, name]))
      for (const [id, name] of creating.acknowledged) assert.equal(names.get(id), name)
    }
  })
})
