/** The commands of docs/operations/master-key.md make the former master key useless. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Client } from '../../support/client.ts'
import { emptyDatabase } from '../../support/database/empty-database.ts'
import { type DatabaseName, onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { type RunningService, Workplace } from '../../support/process/workplace.ts'
import { person } from '../../support/service.ts'
import { publish, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

const [former, present] = [newMasterKey(), newMasterKey()]
const secret = `whsec_${randomBytes(32).toString('base64')}`

/** Beside others on PostgreSQL; one instance on SQLite begins with the second step. */
const stepsOn: Record<DatabaseName, Record<string, string>[]> = {
  sqlite: [{ MASTER_KEY: present, PREVIOUS_MASTER_KEYS: former }],
  postgres: [
    { MASTER_KEY: former, PREVIOUS_MASTER_KEYS: present },
    { MASTER_KEY: present, PREVIOUS_MASTER_KEYS: former },
  ],
}

describe('Rotating', { concurrency: 2 }, () => {
  onEachDatabase('The master key, changed by the commands', (database) => {
    it('opens everything that the former one has sealed, which is not needed any more', async () => {
      await using open = new AsyncDisposableStack()
      const empty = await emptyDatabase(database)
      open.defer(() => empty.drop())
      const receiver = await startReceiver((response) => response.end())
      open.defer(() => receiver.close())
      const place = open.use(new Workplace(empty.settings))
      let service = await place.serve({ MASTER_KEY: former })
      const { authorization } = await createAdmin(service)
      const admin = () => service.anonymous.with({ authorization })
      const own = await setOwnTenant(service, admin())
      await subscribe(admin(), receiver, { secret, headers: { 'x-own': 'of the receiver' } })
      const desk = await checkEverything(admin(), own, receiver)

      for (const settings of stepsOn[database]) {
        service = await startAnew(place, service, { database, settings })
        assert.equal(await checkEverything(admin(), own, receiver), desk)
      }
      const settings = stepsOn[database].at(-1) ?? {}
      const counted = await place.run(['keys', 'reencrypt', '--dry-run'], { settings })
      assert.match(counted.stdout, /^The shared database: [1-9]\d* to re-encrypt\nown: 1 to re-encrypt\n$/)
      const reencrypted = await place.run(['keys', 'reencrypt'], { settings })
      assert.deepEqual([reencrypted.code, reencrypted.stderr], [0, ''])
      assert.match(reencrypted.stdout, /\nEverything is encrypted under the master key [0-9a-f]{8}\.\n$/)

      service = await startAnew(place, service, { database, settings: { MASTER_KEY: present } })
      assert.equal(await checkEverything(admin(), own, receiver), desk)
      await service.stop()
      const late = await place.run(['serve'], { settings: { MASTER_KEY: former } })
      assert.deepEqual([late.code, late.stdout], [1, ''])
      assert.match(late.stderr, /^tenantry: The master key does not decrypt /)
    })
  })
})

interface Start {
  database: DatabaseName
  settings: Record<string, string>
}

/** Two instances on PostgreSQL for a moment, so that none is missing; a file is served by one process. */
async function startAnew(
  place: Workplace,
  running: RunningService,
  { database, settings }: Start,
): Promise<RunningService> {
  if (database === 'sqlite') await running.stop()
  const service = await place.serve(settings)
  if (database === 'postgres') await running.stop()
  return service
}

/** Its connection string is sealed, and so is what it has in its own database. @returns the header of its administrator */
async function setOwnTenant({ anonymous }: RunningService, admin: Client): Promise<string> {
  const boss = person('boss')
  const made = await admin.post('/api/tenants', {
    ...{ id: 'own', name: 'Own', connectionString: 'sqlite:own.db', admin: boss },
  })
  assert.equal(made.status, 201, made.text)
  const signIn = { userName: 'boss', password: boss['password'] }
  const { body } = await anonymous.post('/api/auth/login', signIn, { 'x-tenant-id': 'own' })
  return `Bearer ${body.accessToken}`
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
