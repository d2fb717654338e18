/** The same as in damage.test.ts with many more files, each damaged differently. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomFrom } from '../../support/random-numbers.ts'
import {
  assertServed,
  isAnswered,
  isServedOrUnavailable,
  randomDamage,
  scatteredDamage,
  setDamageScene,
} from './damage.ts'

const seeds = [2, 3, 4, 5]
const filesEach = 40
const kinds = [
  ['that SQLite notices', randomDamage, isServedOrUnavailable],
  ['in values as well', scatteredDamage, isAnswered],
] as const

describe('Damage anywhere in a tenant’s file', { concurrency: 2 }, () => {
  for (const [kind, damage, isAllowed] of kinds)
    for (const seed of seeds) {
      it(`ends nothing and concerns nobody else (${kind}, seed ${seed})`, async () => {
        await using scene = await setDamageScene()
        const random = randomFrom(seed)
        for (let count = 0; count < filesEach; count++) {
          await scene.damage(`random-${count}.db`, damage(random))
          assert.deepEqual(await scene.use(isAllowed), [], `file ${count}`)
          await scene.maintain()
          await assertServed(scene)
        }
      })
    }
})
