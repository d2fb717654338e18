/** The same as in damage.test.ts with many more files, each damaged otherwise. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertServed, randomDamage, randomFrom, setDamageScene } from './damage.ts'

const seeds = [2, 3, 4, 5]
const filesEach = 60

describe('Damage anywhere in a tenant’s file', { concurrency: 2 }, () => {
  for (const seed of seeds) {
    it(`ends nothing and concerns nobody else (seed ${seed})`, async () => {
      await using scene = await setDamageScene()
      const random = randomFrom(seed)
      for (let count = 0; count < filesEach; count++) {
        await scene.damage(`random-${count}.db`, randomDamage(random))
        assert.deepEqual(await scene.use(), [], `file ${count}`)
        await scene.maintain()
        await assertServed(scene)
      }
    })
  }
})
