import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TenantUsage } from '../../../src/core/tenant/usage.ts'

const maxTenants = 20_000

describe('The use of an instance by tenants', () => {
  it('is counted again for tenants that are counted, when it could not be stored', () => {
    const usage = new TenantUsage()
    for (const id of ['not-counted-since', 'a']) usage.countRequest(id, 200)
    const taken = usage.take()
    for (let count = 0; count < maxTenants - 1; count++) usage.countSignIn(`tenant-${count}`)
    usage.countRequest('a', 500)
    usage.giveBack(taken)
    const counts = usage.take()
    assert.deepEqual([counts.size, counts.has('not-counted-since')], [maxTenants, false])
    assert.deepEqual(counts.get('a'), { requests: 2, errors: 1, signIns: 0 })
  })
})
