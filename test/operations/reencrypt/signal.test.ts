/** The master key of a running process changes, without an interruption. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../support/client.ts'
import { openStore } from '../../support/database/store.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startLoad } from '../../support/load.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { type RunningService, Workplace } from '../../support/process/workplace.ts'
import { publish, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'

onEitherDatabase('A service that is told to read its master keys', (database) => {
  it('takes them while it serves, and in the end the former one is of no use', async () => {
    await using store = await openStore(database)
    const { DATABASE_URL = '' } = store.settings
    await using place = new Workplace({ DATABASE_URL })
    const setKeys = (sealing: string, opening = '') =>
      writeFileSync(join(place.folder, '.env'), `MASTER_KEY=${sealing}\nPREVIOUS_MASTER_KEYS=${opening}\n`)
    const [former, present] = [newMasterKey(), newMasterKey()]
    setKeys(former)
    const service = await place.serve()
    const client = service.anonymous.with({ authorization: (await createAdmin(service)).authorization })
    const receiver = await startReceiver((response) => response.end())
    await using tidy = new AsyncDisposableStack()
    tidy.defer(() => receiver.close())
    await subscribe(client, receiver, { events: ['thing.*'], headers: { 'x-own': 'of the receiver' } })
    const load = createWithKeys(client)

    setKeys(newMasterKey(), present)
    assert.equal(await tellsOf(service), 'master keys not read')
    setKeys('no key')
    assert.equal(await tellsOf(service), 'master keys not read')
    setKeys(present, former)
    assert.equal(await tellsOf(service), 'master keys read')
    const reencrypted = await place.run(['keys', 'reencrypt'])
    assert.match(reencrypted.stdout, /Everything is encrypted under the master key/, reencrypted.stderr)
    setKeys(present)
    assert.equal(await tellsOf(service), 'master keys read')

    await publish(client)
    await eventually('the delivery', soonMs, async () => receiver.requests.length === 1)
    assert.equal(receiver.requests[0]?.headers['x-own'], 'of the receiver')
    const counted = await place.run(['keys', 'reencrypt', '--dry-run'])
    assert.deepEqual([counted.code, counted.stdout], [0, 'The shared database: 0 to re-encrypt\n'])
    assert.ok((await load.stop()) > 0)
  })
})

/** @returns what it says of the keys next */
async function tellsOf(service: RunningService): Promise<string | undefined> {
  const said = () => service.log().filter(({ msg }) => /^master keys/.test(String(msg)))
  const before = said().length
  service.process.kill('SIGUSR2')
  await eventually('a word of the keys', soonMs, async () => said().length > before)
  return said().at(-1)?.msg
}

/** Makes products all the while, each remembered under a key of its own, which is encrypted. */
function createWithKeys(client: Client) {
  let made = 0
  const load = startLoad([client], async (caller, round) => {
    const headers = { 'idempotency-key': `${round}` }
    const answer = await caller.post('/api/products', { name: `Desk ${round}`, price: 1 }, headers)
    assert.equal(answer.status, 201, answer.text)
    made++
    await delay(5)
  })
  return {
    /** @returns how many @throws for one that was not made */
    stop: async (): Promise<number> => {
      await load.stop()
      return made
    },
  }
}
