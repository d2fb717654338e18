/** A tenant's own database that is lost, or another one in its place, is not served, and none is created instead. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { inspect } from '../support/database/inspect.ts'
import { queryServer } from '../support/database/query-server.ts'
import { onEachDatabase, postgresServerUrl } from '../support/databases.ts'
import { assertUnavailable } from '../support/error.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { Scene } from './own-database-scene.ts'

onEachDatabase('A tenant’s own database', (database) => {
  let scene: Scene
  before(async () => {
    scene = await Scene.begin(database)
  })
  after(() => scene.end())

  it('that is missing at the start is 503 for its tenant alone, and is not created', async () => {
    await scene.newTenant('gone')
    await scene.newTenant('there')
    await scene.stop()
    await scene.own.remove('gone')
    await scene.start()
    const gone = await scene.signIn('gone')
    for (let count = 0; count < 3; count++) {
      assertUnavailable(await gone.get('/api/products'))
      assertUnavailable(await scene.add(gone, 'Lamp'))
    }
    const { body } = await scene.host.get('/api/tenants/gone/database')
    assert.deepEqual(body, {
      kind: database,
      status: 'missing',
      isMoving: false,
      message: 'The database is missing, and is not created again by itself.',
    })
    assert.deepEqual(scene.errorsOf('gone'), ['missing'])
    assert.equal(await scene.own.exists('gone'), false)
    assert.deepEqual(await scene.names(await scene.signIn('there')), ['there'])
    assert.equal((await scene.anonymous.get('/health/ready')).status, 200)
    const health = (await scene.host.get('/api/tenant-health')).body
    assert.deepEqual([health[0].tenantId, health[0].databaseFault], ['gone', 'missing'])
    const overview = (await scene.host.get('/api/tenant-overview')).body
    const faults = overview.map((each: Record<string, unknown>) => [each['id'], each['databaseFault']])
    assert.deepEqual(faults.slice(1), [
      ['gone', 'missing'],
      ['there', null],
    ])
  })

  it('that is missing is created by a command alone, which is told so', async () => {
    const accepted = await scene.command('tenant', 'database', 'gone', '--accept')
    assert.deepEqual(
      [accepted.code, accepted.stderr],
      [1, 'tenantry: The database is missing, and not foreign or stale.\n'],
    )
    const shown = await scene.command('tenant', 'database', 'gone')
    assert.match(shown.stdout, new RegExp(`^gone: ${database}, missing\\. The database is missing, `))
    const ready = await scene.command('tenant', 'database', 'there', '--create-empty')
    assert.deepEqual([ready.code, ready.stderr], [1, 'tenantry: The database is ready, and not missing.\n'])
    const created = await scene.command('tenant', 'database', 'gone', '--create-empty')
    assert.deepEqual([created.code, created.stderr], [0, ''])
    const gone = await scene.signIn('gone')
    await eventually('served', soonMs, async () => (await gone.get('/api/products')).status === 200)
    assert.deepEqual(await scene.names(gone), [])
    assert.equal((await scene.add(gone, 'Lamp')).status, 201)
    assert.deepEqual((await scene.host.get('/api/tenant-health')).body, [])
  })

  it('that was swapped with that of another tenant is served to neither', async () => {
    await scene.newTenant('left')
    await scene.newTenant('right')
    await scene.stop()
    await swap(scene, 'left', 'right')
    await scene.start()
    for (const id of ['left', 'right']) {
      const client = await scene.signIn(id)
      assertUnavailable(await client.get('/api/products'))
      assertUnavailable(await scene.add(client, 'Lamp'))
      assert.equal(await scene.status(id), 'foreign')
      assert.deepEqual(scene.errorsOf(id), ['foreign'])
    }
    assert.deepEqual(await scene.faults('left', 'right'), ['foreign', 'foreign'])
    await scene.stop()
    await swap(scene, 'left', 'right')
    await scene.start()
    for (const id of ['left', 'right']) assert.deepEqual(await scene.names(await scene.signIn(id)), [id])
  })

  it('of which an older copy is in its place is served when somebody accepts that', async () => {
    await scene.newTenant('older')
    await scene.stop()
    await scene.own.copy('older', 'older_copy')
    await scene.start()
    await scene.add(await scene.signIn('older'), 'Lamp')
    await scene.stop()
    await scene.own.move('older_copy', 'older')
    await scene.start()
    const older = await scene.signIn('older')
    assertUnavailable(await older.get('/api/products'))
    assert.equal(await scene.status('older'), 'stale')
    assert.deepEqual(scene.errorsOf('older'), ['stale'])
    assert.deepEqual(await scene.faults('older'), ['stale'])
    const { code, stderr } = await scene.command('tenant', 'database', 'older', '--accept')
    assert.deepEqual([code, stderr], [0, ''])
    await eventually('served', soonMs, async () => (await older.get('/api/products')).status === 200)
    assert.deepEqual(await scene.names(older), ['older'])
  })

  it('of which a copy from before a stop is in its place is stale as well', async () => {
    const recent = await scene.newTenant('recent')
    await scene.add(recent, 'Lamp')
    const [opened] = await scene.own.ask('recent', 'SELECT generation FROM database_identity')
    await scene.stop()
    const [stopped] = await scene.own.ask('recent', 'SELECT generation FROM database_identity')
    assert.ok(Number(stopped?.['generation']) > Number(opened?.['generation']))
    await scene.own.ask('recent', `UPDATE database_identity SET generation = ${opened?.['generation']}`)
    await scene.start()
    assert.equal(await scene.status('recent'), 'stale')
  })

  it('of another installation is not served until somebody accepts it', async () => {
    await scene.newTenant('other')
    await scene.stop()
    const foreign = '00000000-0000-4000-8000-000000000000'
    await scene.own.ask('other', `UPDATE database_identity SET installation = '${foreign}'`)
    await scene.start()
    const other = await scene.signIn('other')
    assertUnavailable(await other.get('/api/products'))
    assert.equal(await scene.status('other'), 'foreign')
    const named = { id: 'late', name: 'Late', connectionString: scene.own.connectionString('other') }
    assert.equal((await scene.host.post('/api/tenants', named)).status, 201)
    assert.equal(await scene.status('late'), 'foreign')
    assert.equal((await scene.command('tenant', 'database', 'other', '--accept')).code, 0)
    await eventually('served', soonMs, async () => (await other.get('/api/products')).status === 200)
    assert.deepEqual(await scene.names(other), ['other'])
    assert.equal(await scene.status('late'), 'ready')
  })

  it('of a tenant from before identities is taken as it is, and missing if it is not there', async () => {
    await scene.newTenant('early')
    await scene.newTenant('lost')
    await scene.stop()
    for (const id of ['early', 'lost']) await forget(scene, id)
    await scene.own.ask('early', 'DELETE FROM database_identity')
    await scene.own.remove('lost')
    await scene.start()
    assert.deepEqual(await scene.names(await scene.signIn('early')), ['early'])
    assert.equal(await scene.status('lost'), 'missing')
    await scene.stop()
    await scene.own.remove('early')
    await scene.start()
    assert.equal(await scene.status('early'), 'missing')
  })

  it('that is removed while it is open acknowledges nothing more', async () => {
    const open = await scene.newTenant('open')
    const other = await scene.newTenant('beside')
    await scene.own.remove('open')
    for (let count = 0; count < 5; count++) assertUnavailable(await scene.add(open, `Lamp ${count}`))
    assertUnavailable(await open.get('/api/products'))
    assert.equal(await scene.status('open'), 'missing')
    assert.deepEqual(scene.errorsOf('open'), ['missing'])
    assert.equal(await scene.own.exists('open'), false)
    assert.equal((await scene.add(other, 'Lamp')).status, 201)
  })

  it('that is created again, empty, while it is open is not served as a new one, then and after a start', async () => {
    const again = await scene.newTenant('again')
    await scene.own.remove('again')
    if (database === 'sqlite') {
      mkdirSync(join(scene.empty.config.dataDir, 'tenants'), { recursive: true })
      writeFileSync(join(scene.empty.config.dataDir, 'tenants/again.db'), '')
    } else {
      await createAgain(scene)
    }
    const assertMissing = async (client: Client) => {
      assertUnavailable(await scene.add(client, 'Lamp'))
      assertUnavailable(await client.get('/api/products'))
      assert.equal(await scene.status('again'), 'missing')
      assert.deepEqual(scene.errorsOf('again'), ['missing'])
    }
    await assertMissing(again)
    await scene.stop()
    await scene.start()
    await assertMissing(await scene.signIn('again'))
  })

  // A database that is open on a server has no other place.
  if (database === 'sqlite')
    it('that was moved away while it is open has every acknowledged row, and no other, when it is back', async () => {
      const away = await scene.newTenant('away')
      const acknowledged = ['away']
      for (let count = 0; count < 30; count++) {
        if (count === 12) await scene.own.move('away', 'elsewhere')
        const name = `Lamp ${count}`
        if ((await scene.add(away, name)).status === 201) acknowledged.push(name)
      }
      assert.equal(acknowledged.length, 13)
      await scene.stop()
      await scene.own.move('elsewhere', 'away')
      await scene.start()
      assert.deepEqual(await scene.names(await scene.signIn('away')), acknowledged.toSorted())
    })
})

async function swap({ own }: Scene, one: string, other: string): Promise<void> {
  await own.move(one, 'swapped')
  await own.move(other, one)
  await own.move('swapped', other)
}

/** As in a catalogue from before there were identities. */
async function forget({ empty: { config } }: Scene, id: string): Promise<void> {
  await inspect(config.databaseUrl, `DELETE FROM tenant_database WHERE tenant_key = '${id}'`)
}

async function createAgain({ own }: Scene): Promise<void> {
  const name = new URL(own.connectionString('again')).pathname.slice(1)
  await queryServer(await postgresServerUrl(), `CREATE DATABASE ${name}`)
}
