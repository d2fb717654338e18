/** A move is killed while writes are refused: the service completes the switch. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import { intervalJobsOf } from '../../../src/core/jobs.ts'
import type { Service } from '../../../src/service/service.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { setMovingScene, tenantId } from './moving.ts'

onEitherDatabase('A switch that is left half-way is ended by whoever serves, the catalogue', (database) => {
  it('so that the tenant can write again, and the move goes on when it is asked for', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    await using scene = await setMovingScene(database, { log })
    const { admin, host } = scene
    const create = async (name: string) => (await admin.post('/api/products', { name, price: 1 })).status
    assert.equal(await create('Before'), 201)
    await scene.move('sqlite:left.db')
    await eventually('a write in the new place', soonMs, async () => (await create('Between')) === 201)

    const reached = async (phase: string): Promise<void> => {
      if (phase !== 'fenced') return
      assert.equal(await create('Refused'), 503)
      throw new Ended()
    }
    await assert.rejects(scene.move('shared', { reached }), Ended)
    await endSwitches(scene.service)
    await eventually('a write in the shared place', soonMs, async () => (await create('After')) === 201)
    const { body: place } = await host.get(`/api/tenants/${tenantId}/database`)
    assert.equal(place.kind, 'shared')
    const names = (await admin.get('/api/products')).body.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.toSorted(), ['After', 'Before', 'Between'])
    assert.equal(lines.filter((line) => line.includes('"switch of a move ended"')).length, 1)

    assert.match((await scene.move('shared')) ?? '', /left\.db$/)
    assert.equal(await create('Later'), 201)
  })
})

class Ended extends Error {}

/** As the service does every five seconds. */
async function endSwitches({ features, operator }: Service): Promise<void> {
  const job = intervalJobsOf(features).find(({ name }) => name === 'end switches')
  assert.ok(job)
  await job.run(await operator(), new AbortController().signal)
}
