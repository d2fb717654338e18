/** The erasure of a tenant is killed at each phase and at random, while another tenant is changed. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ErasePhase } from '../../../src/operations/erase/erase.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { newProduct } from '../../support/orders.ts'
import type { Victim } from '../../support/victim.ts'
import { BusyClients } from '../busy-clients.ts'
import { type ErasingScene, filesWith, isErased, setErasingScene } from './erasing.ts'

const phases: readonly ErasePhase[] = ['recorded', 'fenced', 'counted', 'removed', 'rewritten', 'unfenced']
const clients = 2
const products = 700
const kills = 3

const places = [
  ['in the shared database', {}],
  ['in its own file', { connectionString: 'sqlite:gone.db' }],
] as const

describe('Erasing', { concurrency: 2 }, () => {
  onEachDatabase('A tenant whose erasure is killed with kill -9, the catalogue', (database) => {
    for (const [where, members] of places) {
      it(`at each phase and at any moment, is gone after the last run, ${where}, and others lose nothing`, async () => {
        await using scene = await setErasingScene(database)
        const { user } = await scene.newTenant()
        await using busy = new BusyClients(user, 50)
        busy.start(clients)
        const gone = await fillLargely(scene, members)
        await scene.deactivate(gone)
        for (const phase of phases) await killedAt(scene, gone.id, phase)
        for (let kill = 0; kill < kills; kill++) await killedAtAnyMoment(scene, gone.id)
        await assertErased(scene, gone.id)
        await isErased(scene, gone, [scene.sharedUrl])
        await busy.stop()
        await busy.check()
        // Nothing of it is in the way of a tenant of the same id.
        const anew = await scene.host.post('/api/tenants', { id: gone.id, name: 'Anew', ...members })
        assert.equal(anew.status, 201, anew.text)
      })
    }
  })
})

describe('An erasure', () => {
  it('does not end as long as somebody reads an older state of the file, and ends when it is run again', async () => {
    await using scene = await setErasingScene('sqlite')
    const gone = await scene.fill()
    await scene.deactivate(gone)
    const reader = new DatabaseSync(join(scene.dataDir, 'tenantry.db'))
    reader.exec('BEGIN')
    assert.equal(reader.prepare('SELECT count(*) AS n FROM tenant').get()?.['n'], 2)
    await assert.rejects(scene.erase(gone), /A reader of an older state of .*tenantry\.db/)
    assert.notDeepEqual(filesWith(scene.dataDir, gone.canary), [])
    reader.close()
    await scene.erase(gone)
    await isErased(scene, gone, [scene.sharedUrl])
  })
})

async function fillLargely(scene: ErasingScene, members: object): Promise<Victim> {
  const victim = await scene.fill({ ...members })
  const { user, canary } = victim
  const create = (number: number) => newProduct(user, { name: `${canary} ${number}`, price: 1 })
  for (let from = 0; from < products; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, count) => create(from + count)))
  return victim
}

/** The last of those that were to be killed may have come to its end. */
async function assertErased({ place }: ErasingScene, id: string): Promise<void> {
  const { code, stdout, stderr } = await place.run(['tenant', 'delete', id, '--erase'])
  if (code === 0) assert.match(stdout, new RegExp(`product ${products + 2}[,.]`))
  else assert.match(stderr, /There is no such tenant/)
}

async function killedAt({ place }: ErasingScene, id: string, phase: ErasePhase): Promise<void> {
  const script = join(import.meta.dirname, 'dying-eraser.ts')
  const running = place.start([id, phase], { command: [process.execPath, script] })
  running.process.stdin.end()
  assert.equal((await running.ended).signal, 'SIGKILL', running.stderr)
}

async function killedAtAnyMoment({ place }: ErasingScene, id: string): Promise<void> {
  const running = place.start(['tenant', 'delete', id, '--erase'])
  running.process.stdin.end()
  await Promise.race([running.ended, delay(randomInt(300, 4000), null, { ref: false })])
  await running.kill()
}
