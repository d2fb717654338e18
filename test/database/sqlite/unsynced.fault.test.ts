/** A power cut: the service is killed, and only the synced part of its files is left. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { CreatingClients } from '../../support/process/creating-clients.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { compileLibrary } from './preloaded.ts'

const rounds = 4
const clients = 16
/** A checkpoint comes about every four hundred. */
const acknowledged = { min: 400, max: 1200 }

describe('After a power cut', () => {
  const place = new Workplace({ MASTER_KEY: newMasterKey(), LOG_LEVEL: 'warn' })
  const [data, synced] = [join(place.folder, 'data'), join(place.folder, 'synced')]
  const [library, notes] = [join(place.folder, 'unsynced.so'), join(place.folder, 'syncs')]
  const settings = {
    LD_PRELOAD: library,
    SYNC_NOTES: notes,
    SYNC_DELAY_MS: '3',
    SYNCED_FROM: data,
    SYNCED_TO: synced,
  }
  before(() => compileLibrary('unsynced.c', library))

  it(`every acknowledged product is there, ${rounds} times over, and the serving thread never waits for the disk`, async () => {
    await using _ = place
    let service = await place.serve()
    const { authorization } = await createAdmin(service)
    const creating = new CreatingClients(authorization)
    await service.stop()
    let checkpoints = 0

    for (let round = 0; round < rounds; round++) {
      cpSync(data, synced, { recursive: true })
      writeFileSync(notes, '')
      service = await place.serve(settings)
      const atStart = syncs().length
      const stream = creating.stream(service.url, clients)
      await stream.acknowledged(randomInt(acknowledged.min, acknowledged.max))
      await service.kill()
      await stream.ended
      const whileServing = syncs().slice(atStart)
      assert.deepEqual(onServingThread(whileServing), [])
      checkpoints += whileServing.filter((line) => line.endsWith('.db')).length
      rmSync(data, { recursive: true })
      renameSync(synced, data)
      service = await place.serve()
      const rows = await inspect(`sqlite:${data}/tenantry.db`, 'SELECT id, name FROM product')
      const names = new Map(rows.map(({ id, name }) => [id, name]))
      const lost = [...creating.acknowledged].filter(([id, name]) => names.get(id) !== name)
      assert.deepEqual(lost, [])
      const [found] = await inspect(`sqlite:${data}/tenantry.db`, 'PRAGMA integrity_check')
      assert.equal(found?.['integrity_check'], 'ok')
      await creating.retryUnanswered(service.url)
      await service.stop()
    }
    cpSync(data, synced, { recursive: true })
    service = await place.serve(settings)
    writeFileSync(notes, '')
    await creating.retryUnanswered(service.url)
    assert.equal((await service.stop()).code, 0)
    assert.deepEqual(onServingThread(syncs()), [])
    assert.ok(checkpoints > 0, `${checkpoints} checkpoints`)
  })

  /** The thread and the file of each. */
  function syncs(): string[] {
    return readFileSync(notes, 'utf8').split('\n').slice(0, -1)
  }
})

function onServingThread(lines: string[]): string[] {
  return lines.filter((line) => line.startsWith('main'))
}
