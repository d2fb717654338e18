/** The master key changes under load: no caller notices, and the former key becomes useless. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { reencryptAll } from '../../../src/operations/reencrypt/reencrypt.ts'
import type { Answer, Client } from '../../support/client.ts'
import { futureDatabase } from '../../support/database/future-database.ts'
import { type DatabaseName, onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { type Load, startLoad } from '../../support/load.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { tenantry } from '../../support/process/command-line.ts'
import { password, person } from '../../support/service.ts'
import { publish, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import { Fleet } from './instances.ts'
import { keep, kept } from './secret-feature.ts'

const [former, present] = [newMasterKey(), newMasterKey()]

onEachDatabase('A rotation of the master key', (database) => {
  it('keeps all that is secret readable, repeats what was done once, and signs nobody out', async () => {
    await using fleet = await Fleet.start(database, { present: former, opening: [] }, instancesOn(database))
    await using scene = await startUse(fleet, database)
    await scene.check()
    await using load = callOn(scene)
    await fleet.roll({ present: former, opening: [present] }, scene.check)
    await fleet.roll({ present, opening: [former] }, scene.check)

    const both = { PREVIOUS_MASTER_KEYS: former }
    const counted = await tenantry(['keys', 'reencrypt', '--dry-run'], fleet, both)
    assert.match(counted.stdout, /^The shared database: [1-9]\d* to re-encrypt\nown: 2 to re-encrypt\n$/)
    const reencrypted = await tenantry(['keys', 'reencrypt'], fleet, both)
    assert.equal(reencrypted.code, 0, reencrypted.stderr)
    const told =
      /^The shared database: \d+ re-encrypted\nown: 2 re-encrypted\nEverything is encrypted under the master key [0-9a-f]{8}\.\n$/
    assert.match(reencrypted.stdout, told)
    await scene.check()

    await fleet.roll({ present, opening: [] }, scene.check)
    await load.stop()
    const [instance] = fleet.running
    const operator = await operatorOf(instance)
    assert.deepEqual(await kept(operator), ['of the application'])
    await reencryptAll(operator, {
      dryRun: false,
      report: ({ reencrypted: again }) => assert.deepEqual(again, { done: 0, undecryptable: 0, left: 0 }),
    })
    const { body } = await scene.admin().get('/api/audit?action=key.reencrypted')
    assert.equal(body.length, 1)
  })
})

function instancesOn(database: DatabaseName): number {
  return database === 'postgres' ? 2 : 1
}

interface Scene extends AsyncDisposable {
  /** Any instance that runs, with a token of the first sign-in. */
  admin(): Client
  anonymous(): Client
  /** Everything that depends on the master key, on every instance that runs. */
  check(): Promise<void>
}

async function startUse(fleet: Fleet, database: DatabaseName): Promise<Scene> {
  await using open = new AsyncDisposableStack()
  const own = database === 'postgres' ? await futureDatabase() : null
  open.defer(async () => own?.drop())
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const webhook = new Webhook(secret)
  const receiver = await startReceiver((response) => response.end())
  open.defer(() => receiver.close())
  const anonymous = () => one(fleet).client
  assert.equal((await anonymous().post('/api/init/first-admin', person('admin'))).status, 200)
  const first = (await logIn(anonymous())).body
  let { refreshToken } = first
  const admin = () => anonymous().withToken(first.accessToken)
  const tenant = {
    id: 'own',
    name: 'Own',
    connectionString: own?.url ?? 'sqlite:own.db',
    admin: person('boss'),
  }
  assert.equal((await admin().post('/api/tenants', tenant)).status, 201)
  await subscribe(admin(), receiver, { secret, headers: { 'x-own': 'of the receiver' } })
  const boss = (await logIn(anonymous(), { userName: 'boss', tenant: 'own' })).body
  const ownUser = (client: Client) => client.withToken(boss.accessToken)
  // One that has met it half made tries it again after a pause.
  for (const { client } of fleet.running) {
    const isOpen = async () => (await ownUser(client).get('/api/products')).status === 200
    await eventually('the own database, in each instance', 5000, isOpen)
  }
  await subscribe(ownUser(anonymous()), receiver, { secret, events: ['never.happens'] })
  await keep(await operatorOf(fleet.running[0]), 'one', 'of the application')
  const desk = await productMadeOnce(admin())
  const check = async (): Promise<void> => {
    for (const { client } of fleet.running) {
      const signed = client.withToken(first.accessToken)
      assert.equal(await productMadeOnce(signed), desk)
      assert.equal((await logIn(client)).status, 200)
      assert.equal((await ownUser(client).get('/api/webhooks/subscriptions')).status, 200)
      const id = await publish(signed)
      const arrived = () => receiver.requests.find((received) => received.headers['webhook-id'] === id)
      await eventually('the delivery', soonMs, async () => arrived() !== undefined)
      const { body, headers } = arrived() ?? assert.fail()
      webhook.verify(body, headers as Record<string, string>) // each of them once
      assert.equal(headers['x-own'], 'of the receiver')
    }
    refreshToken = await oneSuccessor(fleet, refreshToken)
  }
  const held = open.move()
  return {
    admin,
    anonymous,
    check,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** @returns the id of the product: the same as when it was made, before anything changed */
async function productMadeOnce(client: Client): Promise<string> {
  const key = { 'idempotency-key': 'across-the-rotation' }
  const { status, body } = await client.post('/api/products', { name: 'Desk', price: 1 }, key)
  assert.equal(status, 201)
  const { status: reused } = await client.post('/api/products', { name: 'Other', price: 1 }, key)
  assert.equal(reused, 422)
  return body.id
}

/** Whichever instance is asked, with whatever master key: the same. */
async function oneSuccessor(fleet: Fleet, refreshToken: string): Promise<string> {
  const answers: Answer[] = []
  for (const { client } of fleet.running) {
    answers.push(await client.post('/api/auth/refresh', { refreshToken }, fromAnyAddress()))
  }
  const successors = new Set(answers.map(({ body }) => body.refreshToken))
  assert.equal(successors.size, 1)
  return String([...successors][0])
}

interface Caller {
  tokens?: Answer['body']
}

/** Callers that stay all the time: each makes a product, asks again, and renews its tokens. */
function callOn({ anonymous }: Scene): Load {
  let rounds = 0
  const callers: Caller[] = [{}, {}, {}]
  const load = startLoad(callers, async (caller) => {
    caller.tokens ??= (await asked(anonymous, (client) => logIn(client))).body
    const { accessToken, refreshToken } = caller.tokens
    const key = { 'idempotency-key': randomBytes(8).toString('hex') }
    const product = { name: `Chair ${key['idempotency-key']}`, price: 1 }
    const make = () =>
      asked(anonymous, (client) => client.withToken(accessToken).post('/api/products', product, key))
    const made = await make()
    const again = await make()
    assert.deepEqual([made.status, again.status, again.body.id], [201, 201, made.body.id])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    const renew = { refreshToken }
    const renewed = await asked(anonymous, (client) =>
      client.post('/api/auth/refresh', renew, fromAnyAddress()),
    )
    assert.equal(renewed.status, 200, renewed.text)
    caller.tokens = renewed.body
    rounds++
    await delay(50)
  })
  return {
    stop: async () => {
      await load.stop()
      assert.ok(rounds > 10, `${rounds} rounds`)
    },
    [Symbol.asyncDispose]: () => load[Symbol.asyncDispose](),
  }
}

/** Of an instance that stops the connection is refused or cut: the next one is asked. */
async function asked(client: () => Client, question: (client: Client) => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await question(client())
    } catch (error) {
      if (!isConnectionError(error)) throw error
      await delay(10)
    }
  }
}

function isConnectionError(error: unknown): boolean {
  if (error instanceof NoInstance) return true
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')
  )
}

function one(fleet: Fleet) {
  const { running: all } = fleet
  return all[Math.floor(Math.random() * all.length)] ?? none()
}

class NoInstance extends Error {}

function none(): never {
  throw new NoInstance('No instance runs.')
}

function logIn(client: Client, { userName = 'admin', tenant = 'default' } = {}): Promise<Answer> {
  return client.post(
    '/api/auth/login',
    { userName, password },
    { ...fromAnyAddress(), 'x-tenant-id': tenant },
  )
}

function operatorOf(instance: Fleet['running'][number] | undefined) {
  return instance?.service.operator() ?? none()
}
