import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BoundedRateLimiter } from '../../../../src/api/http/rate-limit/fixed-window.ts'

const maxKeys = 100_000

describe('A limiter in memory', () => {
  it('keeps a bounded number of clients, and those that come again the longest', async () => {
    const limiter = new BoundedRateLimiter({ keyPrefix: 'failure', points: 5, duration: 900 })
    await limiter.penalty('once')
    for (let count = 0; count < maxKeys + 1000; count++) {
      await limiter.penalty(`user-${count}`)
      if (count % 1000 === 0) await limiter.consume('again', 0)
    }
    assert.equal(limiter.dump().storage.length, maxKeys)
    assert.equal(await limiter.get('once'), null)
    assert.notEqual(await limiter.get('again'), null)
  })

  it('forgets what is deleted', async () => {
    const limiter = new BoundedRateLimiter({ keyPrefix: 'failure', points: 5, duration: 900 })
    for (let count = 0; count < maxKeys; count++)
      await limiter.penalty('first').then(() => limiter.delete('first'))
    await limiter.penalty('last')
    assert.deepEqual(
      limiter.dump().storage.map(({ key }) => key),
      ['last'],
    )
  })
})
