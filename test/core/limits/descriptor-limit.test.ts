import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxConnectionsWithin } from '../../../src/api/http/connection/connection-limiter.ts'
import { parseDescriptorLimit } from '../../../src/core/limits/descriptor-limit.ts'
import { clientNetwork } from '../../../src/core/network.ts'

describe('Connections are bounded', () => {
  it('by half of the files that the process may open', () => {
    const limits =
      'Limit                     Soft Limit           Hard Limit           Units     \n' +
      'Max processes             unlimited            unlimited            processes \n' +
      'Max open files            600                  1024                 files     \n'
    assert.equal(parseDescriptorLimit(limits), 600)
    assert.equal(parseDescriptorLimit(limits.replace('600 ', 'unlimited ')), null)
    assert.equal(parseDescriptorLimit(''), null)
    assert.equal(maxConnectionsWithin(10_000, 600), 300)
    assert.equal(maxConnectionsWithin(100, 600), 100)
    assert.equal(maxConnectionsWithin(100, null), 100)
  })

  it('for each IPv4 address, and for each /64 of IPv6', () => {
    const clients = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1:2:3::4', '2001:0db8:0001:0002::', 'unknown']
    assert.deepEqual(clients.map(clientNetwork), [
      '192.0.2.7',
      '192.0.2.7',
      '2001:db8:1:2::/64',
      '2001:db8:1:2::/64',
      'unknown',
    ])
  })
})
