/** Damage in one tenant's file affects that tenant only, wherever in the file it is. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  assertServed,
  isAnswered,
  overwriteEveryThirdPage,
  randomDamage,
  randomFrom,
  scatteredDamage,
  setDamageScene,
} from './damage.ts'

const files = 8

describe('A tenant’s file with damage inside', () => {
  it('is refused to its tenant with 503 and shown as failed, and everybody else is served', async () => {
    await using scene = await setDamageScene()
    const { tenant, service } = scene
    await scene.damage('every-third.db', overwriteEveryThirdPage)
    const answer = await tenant.user.get('/api/products')
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.headers.get('retry-after'), '2')
    const state = await service.host.get(`/api/tenants/${tenant.id}/database`)
    assert.deepEqual(state.body, { kind: 'sqlite', status: 'failed', message: 'The database is damaged.' })
    await assertServed(scene)
  })

  it('is served again when the tenant gets a whole one', async () => {
    await using scene = await setDamageScene()
    const { tenant, service } = scene
    await scene.damage('damaged.db', overwriteEveryThirdPage)
    await scene.use()
    await scene.damage('mended.db', () => undefined)
    assert.equal((await tenant.user.get('/api/products?limit=1')).status, 200)
    assert.equal((await service.host.get(`/api/tenants/${tenant.id}/database`)).body.status, 'ready')
  })

  it('is answered with 503 wherever the damage is met, and as ever elsewhere, whatever is asked of it', async () => {
    await using scene = await setDamageScene()
    const random = randomFrom(1)
    for (let count = 0; count < files; count++) {
      await scene.damage(`random-${count}.db`, randomDamage(random))
      assert.deepEqual(await scene.use(), [], `file ${count}`)
      await scene.maintain()
      await assertServed(scene)
    }
  })

  it('ends nothing where the damage is in values as well, which SQLite cannot notice', async () => {
    await using scene = await setDamageScene()
    const random = randomFrom(2)
    for (let count = 0; count < files; count++) {
      await scene.damage(`scattered-${count}.db`, scatteredDamage(random))
      assert.deepEqual(await scene.use(isAnswered), [], `file ${count}`)
      await scene.maintain()
      await assertServed(scene)
    }
  })
})
