/** Damage in one tenant's file affects that tenant only, wherever in the file it is. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { exportTenant } from '../../../src/operations/archive/export.ts'
import { moveTenant } from '../../../src/operations/move/move.ts'
import { randomFrom } from '../../support/random-numbers.ts'
import { runsOf } from '../../support/run/extent.ts'
import {
  assertServed,
  type DamageScene,
  isAnswered,
  overwriteEveryThirdPage,
  randomDamage,
  replaceEverywhere,
  scatteredDamage,
  setDamageScene,
} from './damage.ts'

/** Of each kind; `damage.fault.test.ts` tries 160. */
const files = runsOf(2, 4)
const smallestId = '00000000-0000-7000-8000-000000000000'

describe('A tenant’s file with damage inside', () => {
  let scene: DamageScene
  before(async () => {
    scene = await setDamageScene()
  })
  after(() => scene[Symbol.asyncDispose]())

  it('is not exported and not moved where keys are out of order', async () => {
    const { tenant, service } = scene
    const { body } = await tenant.user.get('/api/products')
    // From any of these a reader would come to the first row again.
    const misplaced = body.slice(9, -5).map(({ id }: { id: string }) => id)
    await scene.damage('out-of-order.db', (path) => {
      for (const id of misplaced) replaceEverywhere(path, id, smallestId)
    })
    await tenant.user.get('/api/products').catch(() => null)
    const context = await service.service.operator()
    const to = join(service.dataDir, 'out-of-order')
    await assert.rejects(exportTenant(context, tenant.id, { to }))
    await assert.rejects(moveTenant(context, tenant.id, 'shared', { removeAfterMs: 0 }))
    await assertServed(scene)
  })

  it('is refused to its tenant with 503 and shown as damaged, and everybody else is served', async () => {
    const { tenant, service } = scene
    await scene.damage('every-third.db', overwriteEveryThirdPage)
    const answer = await tenant.user.get('/api/products')
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.headers.get('retry-after'), '2')
    const { kind, status, message } = (await service.host.get(`/api/tenants/${tenant.id}/database`)).body
    assert.deepEqual([kind, status, message], ['sqlite', 'damaged', 'The database is damaged.'])
    await assertServed(scene)
  })

  it('is served again when the tenant gets a whole one', async () => {
    const { tenant, service } = scene
    await scene.damage('damaged.db', overwriteEveryThirdPage)
    await scene.use()
    await scene.damage('mended.db', () => undefined)
    assert.equal((await tenant.user.get('/api/products?limit=1')).status, 200)
    assert.equal((await service.host.get(`/api/tenants/${tenant.id}/database`)).body.status, 'ready')
  })

  it('is answered with 503 wherever the damage is met, and as ever elsewhere, whatever is asked of it', async () => {
    const random = randomFrom(1)
    for (let count = 0; count < files; count++) {
      await scene.damage(`random-${count}.db`, randomDamage(random))
      assert.deepEqual(await scene.use(), [], `file ${count}`)
      await scene.maintain()
      await assertServed(scene)
    }
  })

  it('ends nothing where the damage is in values as well, which SQLite cannot notice', async () => {
    const random = randomFrom(2)
    for (let count = 0; count < files; count++) {
      await scene.damage(`scattered-${count}.db`, scatteredDamage(random))
      assert.deepEqual(await scene.use(isAnswered), [], `file ${count}`)
      await scene.maintain()
      await assertServed(scene)
    }
  })
})
