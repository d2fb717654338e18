/** Permits of tenants, which claims acquire. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { claimInTransaction } from '../../../src/core/queue/claim.ts'
import { acquirePermits, TenantLimiter } from '../../../src/core/queue/permits.ts'
import { newDatabase } from '../../support/database/opened.ts'
import { onEitherDatabase } from '../../support/databases.ts'

const limits = { total: 100, perTenant: 50 }

describe('Permits of tenants', () => {
  it('are shared evenly among those that are due, and some are left to a newcomer', () => {
    const limiter = new TenantLimiter(limits, 25)
    const acquired = acquirePermits(['a', 'b', 'c'], limiter)
    assert.deepEqual(
      acquired.map(({ permits }) => permits),
      [25, 25, 25],
    )
    assert.deepEqual([limiter.available('a'), limiter.available('newcomer')], [0, 25])
  })

  it('reach in one claim for as many tenants as there are permits', () => {
    const limiter = new TenantLimiter(limits, 25)
    const tenants = Array.from({ length: 200 }, (_, index) => `t${index}`)
    assert.equal(acquirePermits(tenants, limiter).length, 75)
    assert.equal(limiter.inUse, 75)
  })

  it('are never more than a tenant may hold', () => {
    const limiter = new TenantLimiter(limits)
    assert.deepEqual(acquirePermits(['a'], limiter), [{ key: 'a', permits: 50 }])
    assert.equal(limiter.available('a'), 0)
    limiter.release('a', 20)
    assert.deepEqual([limiter.inUse, limiter.available('a')], [30, 20])
  })
})

onEitherDatabase('The permits of a claim', (name) => {
  it('are kept by what it claims, and released otherwise', async () => {
    const { open, drop } = await newDatabase(name)
    const [database, limiter] = [open(), new TenantLimiter(limits)]
    const work = [{ tenantId: 'a', id: '1' }]
    await claimInTransaction(database, limiter, async (_transaction, acquire) => {
      acquire(['a', 'b'])
      return { work, nextDue: [] }
    })
    assert.deepEqual([limiter.inUse, limiter.available('a')], [1, 49])
    const lost = claimInTransaction(database, limiter, async (_transaction, acquire) => {
      acquire(['a', 'b'])
      throw new Error('lost')
    })
    await assert.rejects(lost, /lost/)
    assert.equal(limiter.inUse, 1)
    await drop()
  })
})
