/** The disk of one tenant's file fails: reads with EIO, or writes because the file may not grow. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { executable, type RunningService, Workplace } from '../../support/process/workplace.ts'
import { callersAt, type TestTenant } from '../../support/service.ts'
import { compileLibrary } from './preloaded.ts'
import { TenantLoad } from './tenant-load.ts'

/** More than SQLite keeps of a file in memory. */
const products = 800
/** Of 512 bytes: a file may have 10 MiB. */
const fileBlocks = 20_480
/** The file has nearly as many when the load begins, so that its log cannot be copied into it. */
const ballastBytes = 9_500_000
const limited = ['sh', '-c', `ulimit -S -f ${fileBlocks}; exec '${process.execPath}' '${executable}' serve`]
const maxAnswers = 20_000

describe('While the disk under one tenant’s file fails', () => {
  const place = new Workplace({
    MASTER_KEY: newMasterKey(),
    LOG_LEVEL: 'warn',
    TRUST_PROXY: 'true',
  })
  const library = join(place.folder, 'failing-reads.so')
  before(() => compileLibrary('failing-reads.c', library))

  it('with EIO, a few of its reads or all of them, it alone is 503, and everything is back afterwards', async () => {
    await using _ = place
    const percent = join(place.folder, 'percent')
    const fail = (share: number) => writeFileSync(percent, `${share}`)
    fail(0)
    const failing = join(place.folder, 'data/tenants/broken.db')
    const preload = { LD_PRELOAD: library, FAILING_FILE: failing, FAILING_PERCENT: percent }
    const service = await place.serve({ ...preload, DATA_DIR: 'data' })
    await using scene = await startTenants(service)
    const { broken, load } = scene
    const scan = async () => (await broken.user.get('/api/products/search/nothing')).status
    while (load.acknowledged.length < products) await load.answered(100)
    assert.equal(await scan(), 200)

    for (const share of [2, 100]) {
      fail(share)
      await eventually('reads fail', soonMs, async () => (await scan()) === 503)
      await load.answered(1000)
      if (share === 100) {
        assert.equal(await scan(), 503)
        // So does SQLite call what cannot be read.
        assert.equal(await scene.state(), 'damaged')
        assert.equal((await broken.user.get('/api/products?limit=200')).status, 503)
      }
      await scene.assertOthersServed()
      fail(0)
      await eventually('it is served', soonMs, async () => (await scan()) === 200)
      // SQLite calls what could not be read damaged, which is remembered until the file is given again.
      await scene.giveAgain()
      await eventually('it is ready', soonMs, async () => (await scene.state()) === 'ready')
    }
    await scene.stop()
    assert.deepEqual(await scene.lost(), [])
    fail(100)
    assert.equal((await service.stop()).code, 0)
  })
})

describe('While one tenant’s file may not grow', () => {
  it('its changes are 503 and it is shown as failed, it is read, and it takes changes again when it may', async () => {
    await using place = new Workplace({
      MASTER_KEY: newMasterKey(),
      LOG_LEVEL: 'warn',
      TRUST_PROXY: 'true',
    })
    const service = await place.serve({ DATA_DIR: 'data' }, limited)
    await using scene = await startTenants(service)
    const { broken, load } = scene
    const file = join(place.folder, 'data/tenants/broken.db')
    await inspect(`sqlite:${file}`, `CREATE TABLE ballast AS SELECT zeroblob(${ballastBytes}) AS bytes`)
    while (load.statuses[503] === undefined && load.answers < maxAnswers) await load.answered(100)
    await load.answered(500)
    assert.equal((await load.create()).status, 503)
    // What is smaller than a product may have room for a while.
    await eventually('no change has room', soonMs, async () => (await scene.state()) === 'failed')
    assert.equal((await broken.user.get('/api/products?limit=200')).status, 200)
    await scene.assertOthersServed()

    execFileSync('prlimit', ['--pid', `${service.process.pid}`, '--fsize=unlimited'])
    await eventually('it takes changes', soonMs, async () => (await load.create()).status === 201)
    assert.equal(await scene.state(), 'ready')
    await scene.stop()
    assert.deepEqual(await scene.lost(), [])
    assert.equal((await service.stop()).code, 0)
  })
})

/** Beside the tenant whose disk fails: one with a file of its own, and one in that of the service. */
async function startTenants(service: RunningService) {
  const { authorization } = await createAdmin(service)
  const host = service.anonymous.with({ authorization })
  const { newTenant } = callersAt(service.anonymous, host)
  const broken = await newTenant({ connectionString: 'sqlite:broken.db' })
  const others = [await newTenant({ connectionString: 'sqlite:whole.db' }), await newTenant()]
  const load = new TenantLoad(broken)
  const state = async ({ id }: TestTenant) => (await host.get(`/api/tenants/${id}/database`)).body.status

  return {
    broken,
    load,
    state: () => state(broken),
    giveAgain: async () => {
      const given = await host.put(`/api/tenants/${broken.id}`, { connectionString: 'sqlite:broken.db' })
      assert.equal(given.status, 200, given.text)
    },
    stop: () => load.stop(),
    [Symbol.asyncDispose]: () => load.stop().catch(() => undefined), // what it met was told before
    /** Products that were acknowledged and are not there. */
    lost: async () => {
      const { body } = await broken.user.get('/api/products')
      const ids = new Set(body.map(({ id }: { id: string }) => id))
      return load.acknowledged.filter((id) => !ids.has(id))
    },
    /** For a while, beside the load, which was answered with what it may be. */
    assertOthersServed: async () => {
      const loads = others.map((tenant) => new TenantLoad(tenant))
      for (const each of loads) await each.answered(300)
      for (const each of loads) await each.stop()
      for (const { statuses } of loads) assert.deepEqual(Object.keys(statuses), ['200', '201'])
      for (const tenant of others) assert.equal(await state(tenant), 'ready')
      assert.equal((await service.anonymous.get('/health/ready')).status, 200)
      const told = Object.keys(load.statuses)
      assert.deepEqual(
        told.filter((status) => !['200', '201', '503'].includes(status)),
        [],
      )
    },
  }
}
