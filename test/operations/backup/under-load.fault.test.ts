/** A service is backed up under load, and continues from the backup in another place. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { CreatingClients } from '../../support/process/creating-clients.ts'
import { type RunningService, Workplace } from '../../support/process/workplace.ts'
import { password, person } from '../../support/service.ts'
import { publish, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

const clients = 4

describe('A backup of a service under load', () => {
  it('has all that was acknowledged before it began, and a service that goes on from there', async () => {
    let isUp = false
    const receiver = await startReceiver((response) => response.writeHead(isUp ? 200 : 503).end())
    await using place = new Workplace({ WEBHOOK_RETRY_SECONDS: '2,2,2,2,2' })
    const service = await place.serve()
    const { authorization } = await createAdmin(service)
    const host = service.anonymous.with({ authorization })
    const acme = await tenantWithFile(host, service)
    for (const client of [host, acme]) await subscribe(client, receiver, { events: ['thing.happened'] })
    const ofHost = new CreatingClients(authorization)
    const ofAcme = new CreatingClients(acme.headers['authorization'] ?? '')
    const streams = [ofHost, ofAcme].map((creating) => creating.stream(service.url, clients))
    await Promise.all(streams.map((stream) => stream.acknowledged(50)))
    const events = [await publish(host), await publish(acme)]
    const before = [new Map(ofHost.acknowledged), new Map(ofAcme.acknowledged)]

    const backup = await place.run(['backup', '--to', 'copy'])
    assert.deepEqual({ code: backup.code, stderr: backup.stderr }, { code: 0, stderr: '' })
    assert.match(backup.stdout, /^catalogue\.db: [\s\S]*^tenants\/acme\.db: [\s\S]*: 2 databases, /m)
    const sizes = [ofHost, ofAcme].map(({ acknowledged }) => acknowledged.size)
    await Promise.all(streams.map((stream) => stream.acknowledged(20)))
    await service.kill()
    await Promise.all(streams.map(({ ended }) => ended))
    for (const [index, size] of sizes.entries())
      assert.ok(size > (before[index]?.size ?? 0), 'writers went on')

    const MASTER_KEY = readFileSync(join(place.folder, 'data/master.key'), 'utf8').trim()
    const settings = { MASTER_KEY, DATA_DIR: 'restored' }
    const keyless = await place.run(['restore', '--from', 'copy'], { settings: { DATA_DIR: 'restored' } })
    assert.equal(keyless.code, 1)
    assert.match(keyless.stderr, /MASTER_KEY: is not set, and there is no \S+master\.key\n$/)
    assert.equal(existsSync(join(place.folder, 'restored')), false)
    const restored = await place.run(['restore', '--from', 'copy'], { settings })
    assert.deepEqual({ code: restored.code, stderr: restored.stderr }, { code: 0, stderr: '' })
    assert.match(restored.stdout, /^Restored as of \d{4}-\S+: 2 databases, [\d.]+ MB\.$/m)
    assert.deepEqual(readdirSync(join(place.folder, 'restored')).toSorted(), [
      'folder.lock',
      'initialized',
      'tenantry.db',
      'tenantry.db-serving',
      'tenants',
    ])

    isUp = true
    const again = await place.serve(settings)
    const [hostAgain, acmeAgain] = [
      await signedInClient(again, 'admin'),
      await signedInClient(again, 'boss', 'acme'),
    ]
    await assertHas(hostAgain, before[0])
    await assertHas(acmeAgain, before[1])
    events.push(await publish(hostAgain), await publish(acmeAgain))
    await eventually('all events arrive', 15_000, async () => events.every((id) => hasArrived(receiver, id)))
    assert.equal((await again.stop()).code, 0)
    await receiver.close()
  })
})

async function tenantWithFile(host: Client, service: RunningService): Promise<Client> {
  const tenant = { id: 'acme', name: 'Acme', connectionString: 'sqlite:acme.db', admin: person('boss') }
  const made = await host.post('/api/tenants', tenant)
  assert.equal(made.status, 201, made.text)
  return signedInClient(service, 'boss', 'acme')
}

async function signedInClient(
  { anonymous }: RunningService,
  userName: string,
  tenant = 'default',
): Promise<Client> {
  const answer = await anonymous.post('/api/auth/login', { userName, password }, { 'x-tenant-id': tenant })
  assert.equal(answer.status, 200, answer.text)
  return anonymous.withToken(answer.body.accessToken)
}

async function assertHas(client: Client, expected = new Map<string, string>()): Promise<void> {
  const list = await client.get('/api/products')
  const names = new Map(list.body.map(({ id, name }: { id: string; name: string }) => [id, name]))
  for (const [id, name] of expected) assert.equal(names.get(id), name)
}

function hasArrived({ requests }: Receiver, eventId: string): boolean {
  return requests.some(({ body }) => body.includes(eventId))
}
