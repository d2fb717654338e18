import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseBusy } from '../../../src/database/executor.ts'
import {
  FairLimiter,
  type Kind,
  type LimiterOptions,
  type Owner,
  type Permit,
} from '../../../src/database/postgres/fair-limiter.ts'

const usual: LimiterOptions = {
  permits: 8,
  reserve: 0,
  share: 2,
  maxWaiting: 1000,
  maxWaitingPerOwner: 1000,
  maxWaitMs: 5000,
}

describe('Permits', () => {
  it('that one owner holds leave some to others, however many it asks for', () => {
    const { take } = limiterOf(usual)
    assert.deepEqual([take('a', 'write', 20), take('a', 'read', 20)], [5, 1])
    assert.deepEqual([take('b', 'read', 20), take('c', 'read', 20)], [1, 1])
    assert.equal(take('d', 'read', 20), 0)
  })

  it('of one kind leave some of the other kind to the same owner', () => {
    const { take } = limiterOf(usual)
    assert.deepEqual([take('a', 'read', 20), take('a', 'write', 20)], [5, 1])
  })

  it('of the reserve are there for the service when tenants hold all they may, and are nobody else’s', () => {
    const { take } = limiterOf({ ...usual, permits: 10, reserve: 1 })
    const owners = Array.from({ length: 20 }, (_, number) => `tenant-${number}`)
    assert.equal(
      owners.reduce((sum, owner) => sum + take(owner, 'write', 20), 0),
      8,
    )
    assert.deepEqual([take(null, 'read', 20), take(null, 'write', 20)], [1, 1])
  })

  it('go to owners in turn, not to the one with the longest queue', async () => {
    const { acquire, limiter } = limiterOf({ ...usual, permits: 2, share: 1 })
    const first = await acquire('a')
    const served: Owner[] = []
    const waiters = [...Array.from({ length: 10 }, () => 'a'), 'b', 'c'].map(async (owner) => {
      const permit = await acquire(owner)
      served.push(owner)
      setImmediate(() => limiter.release(permit))
    })
    limiter.release(first)
    await Promise.all(waiters)
    assert.deepEqual(served.slice(0, 4).toSorted(), ['a', 'a', 'b', 'c'])
    assert.equal(served.length, 12)
  })

  it('are all there again when all are given back, and never more of them', async () => {
    const { acquire, limiter } = limiterOf({ ...usual, permits: 10, reserve: 1 })
    let held = 0
    let most = 0
    const owners: Owner[] = [null, 'a', 'b', 'c', 'd']
    const work = async (number: number): Promise<void> => {
      const permit = await acquire(
        owners[number % owners.length] ?? null,
        number % 3 === 0 ? 'write' : 'read',
      )
      most = Math.max(most, ++held)
      for (let turn = 0; turn < number % 4; turn++) await Promise.resolve()
      held--
      limiter.release(permit)
    }
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 300 }, (_, number) => work(number)))
      const left = limiterOf({ ...usual, permits: 10, reserve: 1 })
      const again = limiterOf(usual, limiter)
      assert.equal(again.take('z', 'read', 20), left.take('z', 'read', 20))
      for (const permit of again.taken) limiter.release(permit)
    }
    assert.ok(most > 5 && most <= 10, `${most} at once`)
  })

  it('are refused where too many wait, of one owner or in all', async () => {
    const { acquire, limiter } = limiterOf({ ...usual, permits: 1, maxWaiting: 3, maxWaitingPerOwner: 2 })
    const held = await acquire('a')
    const waiting = [acquire('a'), acquire('a')]
    await assert.rejects(acquire('a'), DatabaseBusy)
    waiting.push(acquire('b'))
    await assert.rejects(acquire('c'), DatabaseBusy)
    assert.deepEqual(limiter.usage('tenant', 'read'), { held: 1, waiting: 3, refused: 2 })
    limiter.release(held)
    await Promise.all(waiting.map(async (one) => limiter.release(await one)))
    assert.deepEqual(limiter.usage('tenant', 'read'), { held: 0, waiting: 0, refused: 2 })
  })

  it('are refused to those who have waited for too long, and given to the others', async () => {
    const { acquire, limiter } = limiterOf({ ...usual, permits: 1, maxWaitMs: 40 })
    const held = await acquire('a')
    await assert.rejects(acquire('b'), DatabaseBusy)
    const later = acquire('b')
    limiter.release(held)
    limiter.release(await later)
    assert.deepEqual(limiter.usage('tenant', 'read'), { held: 0, waiting: 0, refused: 1 })
  })
})

function limiterOf(options: LimiterOptions, limiter = new FairLimiter(options)) {
  const taken: Permit[] = []
  return {
    limiter,
    taken,
    acquire: async (owner: Owner, kind: Kind = 'read'): Promise<Permit> => limiter.acquire(owner, kind),
    /** @returns how many of so many were there at once */
    take: (owner: Owner, kind: Kind, wanted: number): number => {
      let count = 0
      for (; count < wanted; count++) {
        const permit = limiter.acquire(owner, kind)
        if (permit instanceof Promise) {
          permit.then((late) => limiter.release(late)).catch(() => undefined) // refused at the end of the test
          break
        }
        taken.push(permit)
      }
      return count
    },
  }
}
