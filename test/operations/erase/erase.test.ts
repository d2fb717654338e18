/** A tenant is erased while a service serves others, wherever its rows are. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { ErasePhase } from '../../../src/operations/erase/erase.ts'
import { entityFeatures } from '../../../src/service/built-in-entities.ts'
import { futureDatabase } from '../../support/database/future-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase, onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { tablesOfHost } from '../../support/host-access.ts'
import { tenantry } from '../../support/process/command-line.ts'
import { person } from '../../support/service.ts'
import { digestOf, type Victim } from '../../support/victim.ts'
import { publish, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import {
  addFormerKey,
  addJobs,
  addSignIns,
  addUnknownTables,
  countsOf,
  type ErasingScene,
  filesWith,
  isErased,
  isShutOut,
  setErasingScene,
} from './erasing.ts'

describe('Erasing', { concurrency: 3 }, () => {
  onEachDatabase(
    'A tenant that is erased, the catalogue',
    (database) => {
      let scene: ErasingScene
      /** In the shared database, like the host. */
      let other: Victim
      before(async () => {
        scene = await setErasingScene(database)
        other = await scene.fill()
      })
      after(() => scene[Symbol.asyncDispose]())

      it('is gone from the shared database with every row and every byte, and nobody else has lost any', async () => {
        const gone = await scene.fill()
        await addUnknownTables(scene.sharedUrl, [gone, other])
        await addFormerKey(scene.sharedUrl, gone)
        await addJobs(scene.sharedUrl, gone)
        await addSignIns(scene.sharedUrl, gone)
        await assert.rejects(scene.signIn('boss', gone.id, `wrong ${gone.canary}`))
        const rows = await countsOf(scene.sharedUrl, gone.id)
        for (const [table, count] of Object.entries(rows))
          assert.ok(count > 0 || ofOwn.includes(table) || ofHost.has(table), table)
        const others = await stateOf(other, scene.sharedUrl)
        await scene.deactivate(gone)
        const { code, stdout, stderr } = await tenantry(['tenant', 'delete', gone.id, '--erase'], scene)
        assert.equal(code, 0, stderr)
        const said = `Rows removed: .*product ${rows['product']}, .*\nTenant ${gone.id} is erased.\nNot erased: backups`
        assert.match(stdout, new RegExp(said))
        await isErased(scene, gone, [scene.sharedUrl])
        assert.deepEqual(await stateOf(other, scene.sharedUrl), others)
        assert.ok(database === 'postgres' || filesWith(scene.dataDir, other.canary).length > 0)
        if (database === 'postgres') await eventually('the vacuum', soonMs, () => isVacuumed(scene.sharedUrl))
        await eventually('the service to hear of it', soonMs, () => isShutOut(gone.admin))
        assert.equal((await scene.anonymous.get('/api/products', { 'x-tenant-id': gone.id })).status, 404)
      })

      if (database === 'postgres') {
        it('leaves its own PostgreSQL database empty, and names it', async () => {
          const own = await futureDatabase()
          const gone = await scene.fill({ connectionString: own.url })
          await scene.deactivate(gone)
          const { emptied, rows } = await scene.erase(gone)
          assert.match(emptied.join(), new RegExp(`/${new URL(own.url).pathname.slice(1)}$`))
          assert.ok((rows['product'] ?? 0) > 0)
          await isErased(scene, gone, [scene.sharedUrl, own.url])
          await own.drop().catch(() => undefined) // the service may have it open
        })
      }
    },
    1,
  )

  describe('One after the other', { concurrency: 1 }, () => {
    onEitherDatabase('An erased tenant, the catalogue', (database) => {
      let scene: ErasingScene
      before(async () => {
        scene = await setErasingScene(database)
      })
      after(() => scene[Symbol.asyncDispose]())

      it('leaves to the host what proves it, tells its subscribers, and nothing that the host was answered', async () => {
        const gone = await scene.fill()
        await using tidy = new AsyncDisposableStack()
        const receiver = await startReceiver((response) => response.end())
        tidy.defer(() => receiver.close())
        const subscription = await subscribe(scene.host, receiver, { events: ['tenant.erased'] })
        const keyed = (path: string, body: object) => scene.host.post(path, body, { 'idempotency-key': path })
        const user = { ...person(`user-of-host-${gone.canary}`), tenantId: gone.id }
        assert.equal((await keyed('/api/users', user)).status, 201)
        assert.equal((await keyed('/api/products', { name: 'Of the host', price: 1 })).status, 201)
        // One outcome is of a master key that is gone: nobody can tell whether it is about the tenant.
        const bytes = database === 'sqlite' ? "x'0102'" : "'\\x0102'::bytea"
        await inspect(
          scene.sharedUrl,
          `INSERT INTO idempotency (tenant_id, key, fingerprint, outcome, created_at)
           SELECT tenant_id, 'undecryptable', fingerprint, ${bytes}, created_at FROM idempotency
           WHERE tenant_id = 'default' LIMIT 1`,
        )
        const counted = await countsOf(scene.sharedUrl, gone.id)
        await scene.deactivate(gone)
        const { rows } = await scene.erase(gone)
        const kept = await inspect(scene.sharedUrl, "SELECT key FROM idempotency WHERE tenant_id = 'default'")
        assert.equal(kept.length, 1)
        const audit = (await scene.host.get(`/api/audit?subjectId=${gone.id}`)).body
        const actions = audit.map(({ action }: { action: string }) => action)
        assert.deepEqual(actions, ['tenant.erased', 'tenant.deactivated', 'tenant.created'])
        const [{ actorName, detail, tenantId }, deactivated] = audit
        assert.deepEqual([actorName, tenantId, detail], ['operator', 'default', { rows }])
        assert.deepEqual(
          [deactivated.detail, deactivated.actorName, deactivated.clientAddress],
          [{}, null, null],
        )
        // What was done with it as a whole is the host's now, and to deactivate it was told of once more.
        const { audit: entries = 0, event = 0, ...same } = counted
        assert.deepEqual(rows, { ...withRows(same), audit: entries - 1, event: event + 1 })
        await eventually('the host to be told', soonMs, async () => receiver.requests.length === 1)
        assert.deepEqual(JSON.parse(receiver.requests[0]?.body ?? '').data, { tenantId: gone.id })
        await scene.host.delete(`/api/webhooks/subscriptions/${subscription}`)
      })

      it('is sent what is just being sent, and nothing more', async () => {
        const gone = await scene.newTenant()
        await using tidy = new AsyncDisposableStack()
        const receiver = await startReceiver((response) => void setTimeout(() => response.end(), slowMs))
        tidy.defer(() => receiver.close())
        await subscribe(gone.user, receiver, { events: ['thing.*'] })
        await publish(gone.user)
        await eventually('the delivery', soonMs, async () => receiver.requests.length === 1)
        await scene.deactivate(gone)
        const reached = async (phase: ErasePhase): Promise<void> => {
          if (phase !== 'fenced') return
          const rows = await inspect(
            scene.sharedUrl,
            `SELECT status, lease FROM delivery WHERE tenant_id = '${gone.id}'`,
          )
          assert.deepEqual(
            rows.map((row) => ({ ...row })),
            [{ status: 'SUCCEEDED', lease: null }],
          )
        }
        const { rows } = await scene.erase(gone, { reached })
        assert.deepEqual([rows['attempt'], receiver.requests.length], [1, 1])
      })

      it('takes its own file along, and its id and its file can be used anew, but by none of its tokens', async () => {
        const connectionString = 'sqlite:alone.db'
        const gone = await scene.fill({ connectionString })
        const { body: apiKey } = await gone.admin.post('/api/api-keys', { name: 'Old', permissions: [] })
        const program = gone.admin.withToken(apiKey.key)
        assert.equal((await program.get('/api/products')).status, 200)
        await scene.deactivate(gone)
        const { deleted } = await scene.erase(gone)
        assert.deepEqual(deleted, [join(scene.dataDir, 'tenants', 'alone.db')])
        for (const ending of ['', '-wal', '-shm', '-serving'])
          assert.ok(!existsSync(`${deleted[0]}${ending}`), ending)
        await isErased(scene, gone, [scene.sharedUrl])

        const tenant = { id: gone.id, name: 'Anew', connectionString, admin: person('boss') }
        const made = await scene.host.post('/api/tenants', tenant)
        assert.equal(made.status, 201, made.text)
        const { client } = await scene.signIn('boss', gone.id)
        assert.equal((await client.post('/api/products', { name: 'Anew', price: 1 })).status, 201)
        const products = await inspect(scene.fileUrl('alone.db'), 'SELECT name FROM product')
        assert.deepEqual(
          products.map(({ name }) => name),
          ['Anew'],
        )
        // What it leaves to be delivered is looked for there, though its predecessor's mark is gone.
        const marked = `SELECT touched_at FROM pending_tenant WHERE tenant_id = '${gone.id}'`
        assert.equal((await inspect(scene.sharedUrl, marked)).length, 1)
        const former = [gone.admin, gone.user, program]
        for (const old of former) assert.equal((await old.get('/api/products')).status, 401)
        const headers = former.map((old) => ({ authorization: old.headers['authorization'] ?? '' }))
        assert.deepEqual(await scene.statusesAfterStart('/api/products', headers), [401, 401, 401])
      })

      it('leaves a file that others use as well, without a trace of it, and none that was left behind', async () => {
        const connectionString = 'sqlite:both.db'
        const gone = await scene.fill({ connectionString })
        const neighbour = await scene.fill({ connectionString })
        const path = `/api/tenants/${gone.id}`
        assert.equal((await scene.host.put(path, { connectionString: 'sqlite:left.db' })).status, 200)
        await gone.admin.post('/api/products', { name: `Left ${gone.canary}`, price: 1 })
        assert.equal((await scene.host.put(path, { connectionString })).status, 200)
        // A copy that somebody has made by hand, under a name that no connection string leads to.
        const copy = join(scene.dataDir, 'tenants', 'Before-The-Change.db')
        await inspect(scene.fileUrl('left.db'), `VACUUM INTO '${copy}'`)
        const both = scene.fileUrl('both.db')
        const notes = join(scene.dataDir, 'tenants', 'notes.txt')
        writeFileSync(notes, 'This is no database.')
        const unharmed = await stateOf(neighbour, both)
        await scene.deactivate(gone)
        const { deleted, left } = await scene.erase(gone)
        assert.deepEqual(deleted.toSorted(), [copy, join(scene.dataDir, 'tenants', 'left.db')])
        assert.deepEqual(left, [`${notes} cannot be read. It may hold rows of the tenant.`])
        await isErased(scene, gone, [scene.sharedUrl, both])
        assert.deepEqual(await stateOf(neighbour, both), unharmed)
      })
    })
  })
})

/** Longer than it takes until every instance has heard that the tenant is erased. */
const slowMs = 800

const ofHost = tablesOfHost(entityFeatures())

/** Empty where a tenant has no database of its own, and while no upload is in progress. */
const ofOwn = ['pending_tenant', 'tenant_audit', 'stray_file']

/** The server tells a little later. */
async function isVacuumed(url: string): Promise<boolean> {
  const counted =
    "SELECT relname FROM pg_stat_user_tables WHERE vacuum_count = 0 AND relname IN ('product', 'tenant')"
  return (await inspect(url, counted)).length === 0
}

async function stateOf(victim: Victim, url: string): Promise<unknown> {
  return [await digestOf(victim), await countsOf(url, victim.id)]
}

function withRows(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
