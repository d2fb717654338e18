/** The commands of docs/operations/master-key.md make the former master key useless. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Config } from '../../../src/core/settings/config.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import { Client } from '../../support/client.ts'
import { type DatabaseName, onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { tenantry } from '../../support/process/command-line.ts'
import { person, startService, type TestService, usualOptions } from '../../support/service.ts'
import { publish, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

const [former, present] = [newMasterKey(), newMasterKey()]
const secret = `whsec_${randomBytes(32).toString('base64')}`

interface MasterKeys {
  masterKey: string
  /** Decrypt as well. */
  previous: string[]
}

/** Beside others on PostgreSQL; one instance on SQLite begins with the second step. */
const stepsOn: Record<DatabaseName, MasterKeys[]> = {
  sqlite: [{ masterKey: present, previous: [former] }],
  postgres: [
    { masterKey: former, previous: [present] },
    { masterKey: present, previous: [former] },
  ],
}

describe('Rotating', { concurrency: 2 }, () => {
  onEachDatabase('The master key, changed by the commands', (database) => {
    it('opens everything that the former one has sealed, which is not needed any more', async () => {
      await using open = new AsyncDisposableStack()
      const first = await startService(database, { MASTER_KEY: former })
      open.defer(() => first.stop())
      const receiver = await startReceiver((response) => response.end())
      open.defer(() => receiver.close())
      const { authorization = '' } = first.host.headers
      let running: Running = { service: first.service, url: first.url, config: first.config }
      open.defer(() => running.service.stop())
      const admin = () => new Client(running.url, { authorization })
      const own = await setOwnTenant(first)
      await subscribe(admin(), receiver, { secret, headers: { 'x-own': 'of the receiver' } })
      const desk = await checkEverything(admin(), own, receiver)

      for (const keys of stepsOn[database]) {
        running = await startAnew(running, database, keys)
        assert.equal(await checkEverything(admin(), own, receiver), desk)
      }
      const counted = await tenantry(['keys', 'reencrypt', '--dry-run'], running, settingsOf(running))
      assert.match(counted.stdout, /^The shared database: [1-9]\d* to re-encrypt\nown: 1 to re-encrypt\n$/)
      const reencrypted = await tenantry(['keys', 'reencrypt'], running, settingsOf(running))
      assert.deepEqual([reencrypted.code, reencrypted.stderr], [0, ''])
      assert.match(reencrypted.stdout, /\nEverything is encrypted under the master key [0-9a-f]{8}\.\n$/)

      running = await startAnew(running, database, { masterKey: present, previous: [] })
      assert.equal(await checkEverything(admin(), own, receiver), desk)
      await running.service.stop()
      const late = createService(configWith(running, { masterKey: former, previous: [] }), usualOptions)
      await assert.rejects(late, /^Error: The master key does not decrypt /)
    })
  })
})

interface Running {
  service: Service
  url: string
  config: Config
}

/** Two instances on PostgreSQL for a moment, so that none is missing; a file is served by one process. */
async function startAnew(running: Running, database: DatabaseName, keys: MasterKeys): Promise<Running> {
  if (database === 'sqlite') await running.service.stop()
  const config = configWith(running, keys)
  const service = await createService(config, usualOptions)
  const url = await service.start()
  if (database === 'postgres') await running.service.stop()
  return { service, url, config }
}

function configWith({ config }: Running, { masterKey, previous }: MasterKeys): Config {
  const [bytes, ...previousBytes] = [masterKey, ...previous].map((key) => Buffer.from(key, 'base64'))
  return { ...config, masterKey: bytes ?? assert.fail(), previousMasterKeys: previousBytes }
}

/** What a command needs beside the key that encrypts. */
function settingsOf({ config }: Running): Record<string, string> {
  const previous = config.previousMasterKeys.map((key) => Buffer.from(key).toString('base64'))
  return { PREVIOUS_MASTER_KEYS: previous.join() }
}

/** Its connection string is sealed, and so is what it has in its own database. @returns the header of its administrator */
async function setOwnTenant({ host, signIn }: TestService): Promise<string> {
  const made = await host.post('/api/tenants', {
    id: 'own',
    name: 'Own',
    connectionString: 'sqlite:own.db',
    admin: person('boss'),
  })
  assert.equal(made.status, 201, made.text)
  return `Bearer ${(await signIn('boss', 'own')).accessToken}`
}

/** Each of them opens something that is sealed. @returns the product that was made when it was asked for first */
async function checkEverything(admin: Client, own: string, receiver: Receiver): Promise<string> {
  const once = { 'idempotency-key': 'across-the-rotation' }
  const made = await admin.post('/api/products', { name: 'Desk', price: 1 }, once)
  assert.equal(made.status, 201, made.text)
  const lamp = { name: 'Lamp', price: 1 }
  const ofOwn = await admin.post('/api/products', lamp, { ...once, authorization: own })
  assert.equal(ofOwn.status, 201, ofOwn.text)
  const id = await publish(admin)
  const arrived = () => receiver.requests.find((received) => received.headers['webhook-id'] === id)
  await eventually('the delivery', soonMs, async () => arrived() !== undefined)
  const { body, headers } = arrived() ?? assert.fail()
  new Webhook(secret).verify(body, headers as Record<string, string>) // each of them once
  assert.equal(headers['x-own'], 'of the receiver')
  return `${made.body.id} ${ofOwn.body.id}`
}
