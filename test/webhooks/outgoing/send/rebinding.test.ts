/** A connection goes to the address that was checked, whatever the name server says the next time. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type AddressGuard, createAddressGuard } from '../../../../src/core/outgoing/address-guard.ts'
import type { AddressPolicy } from '../../../../src/core/outgoing/ip-address.ts'
import { type NameServer, type Question, type Reply, startNameServer } from '../../../support/name-server.ts'
import { type Receiver, startReceiver } from '../../../support/webhooks/receiver.ts'
import { development, productionBut, sendTo } from '../../http-attempt.ts'

/** Stands for a public address: a receiver outside is none that a test may reach. */
const outside = '127.0.0.2'
const elsewhere = '127.0.0.3'
const inside = '127.0.0.1'

describe('A name', () => {
  let receiver: Receiver
  let other: Receiver
  let victim: Receiver
  let names: NameServer
  let reply: (question: Question) => Reply
  const guards: AddressGuard[] = []

  const guarded = (policy: AddressPolicy = productionBut(outside, elsewhere)): AddressGuard => {
    const guard = createAddressGuard(policy, { nameServers: [names.address] })
    guards.push(guard)
    return guard
  }
  const url = () => `http://receiver.test:${receiver.port}/hooks`
  const countA = () => names.questions.filter(({ type }) => type === 'A').length

  before(async () => {
    receiver = await startReceiver((response) => response.end('outside'), outside)
    other = await startReceiver((response) => response.end('elsewhere'), elsewhere, { port: receiver.port })
    victim = await startReceiver((response) => response.end('inside'), inside, { port: receiver.port })
  })
  beforeEach(async () => {
    names?.close()
    names = await startNameServer((question) => reply(question))
    for (const { connections, requests } of [receiver, other, victim]) {
      for (const socket of connections.splice(0)) socket.destroy()
      requests.length = 0
    }
  })
  after(async () => {
    for (const guard of guards) guard.close()
    names.close()
    await Promise.all([receiver, other, victim].map((one) => one.close()))
  })

  it('that turns inward after it was vetted is reached where it was vetted, by one look-up', async () => {
    reply = ({ earlier }) => [earlier === 0 ? outside : inside]
    const guard = guarded()
    const exchange = await sendTo(url(), guard)
    assert.deepEqual([exchange.outcome, exchange.bodyExcerpt], ['success', 'outside'])
    assert.equal(countA(), 1)
    assert.equal(receiver.requests[0]?.headers.host, `receiver.test:${receiver.port}`)
    assert.equal(victim.connections.length, 0)
  })

  it('that leads inward at the next delivery gets nothing, not even over the connection that is open', async () => {
    reply = ({ earlier }) => [earlier === 0 ? outside : inside]
    const guard = guarded()
    await sendTo(url(), guard)
    const exchange = await sendTo(url(), guard)
    assert.deepEqual(
      [exchange.outcome, exchange.errorClass, exchange.status],
      ['failure', 'refusedAddress', null],
    )
    assert.equal(receiver.requests.length, 1)
    assert.equal(victim.connections.length, 0)
  })

  it('that alternates without end never gets a connection inside', async () => {
    reply = ({ earlier }) => [earlier % 2 === 0 ? outside : inside]
    const guard = guarded()
    const classes: unknown[] = []
    for (let count = 0; count < 20; count++) classes.push((await sendTo(url(), guard)).errorClass)
    assert.deepEqual([...new Set(classes)], [null, 'refusedAddress'])
    assert.equal(victim.connections.length, 0)
  })

  it('that moves to another vetted address is reached there, not over the old connection', async () => {
    reply = ({ earlier }) => [earlier === 0 ? outside : elsewhere]
    const guard = guarded()
    assert.equal((await sendTo(url(), guard)).bodyExcerpt, 'outside')
    assert.equal((await sendTo(url(), guard)).bodyExcerpt, 'elsewhere')
    assert.equal((await sendTo(url(), guard)).bodyExcerpt, 'elsewhere')
    assert.deepEqual([receiver.connections.length, other.connections.length], [1, 1])
  })

  const mixed: Record<string, string[]> = {
    'a good and a bad address': [outside, inside],
    'a bad and a good address': [inside, outside],
    'a good IPv4 and a bad IPv6 address': [outside, '::1'],
    'a good address and one mapped from IPv4': [outside, '::ffff:127.0.0.1'],
    'a good address and one of NAT64': [outside, '64:ff9b::7f00:1'],
    'a good address and one of 6to4': [outside, '2002:7f00:1::'],
    'only loopback of IPv6': ['::1'],
    'only the unspecified address': ['0.0.0.0', '::'],
    'the metadata of a cloud': ['169.254.169.254'],
    'a private network': ['10.0.0.1', '192.168.1.1', 'fd00::1'],
  }
  for (const [what, addresses] of Object.entries(mixed)) {
    it(`with ${what} is refused without a connection`, async () => {
      reply = () => addresses
      const exchange = await sendTo(url(), guarded())
      assert.equal(exchange.errorClass, 'refusedAddress')
      assert.deepEqual([receiver.connections.length, victim.connections.length], [0, 0])
    })
  }

  it('that leads to several vetted addresses is reached at one that answers', async () => {
    reply = () => ['127.0.0.4', outside]
    const exchange = await sendTo(url(), guarded(productionBut('127.0.0.4', outside)))
    assert.equal(exchange.bodyExcerpt, 'outside')
  })

  it('that does not exist, or has no address, is a failure of its own kind', async () => {
    const guard = guarded()
    reply = () => 'missing'
    assert.equal((await sendTo(url(), guard)).errorClass, 'dns')
    reply = () => []
    assert.equal((await sendTo(url(), guard)).errorClass, 'dns')
    reply = () => [outside]
    assert.equal((await sendTo(url(), guard)).outcome, 'success')
  })

  it('is asked for once by simultaneous deliveries, and again by later ones', async () => {
    reply = () => [outside]
    const guard = guarded()
    const exchanges = await Promise.all(Array.from({ length: 20 }, () => sendTo(url(), guard)))
    assert.ok(exchanges.every(({ outcome }) => outcome === 'success'))
    assert.equal(countA(), 1)
    await sendTo(url(), guard)
    assert.equal(countA(), 2)
  })

  it('is remembered for as long as its name server says', async () => {
    names.close()
    names = await startNameServer(({ earlier }) => [earlier === 0 ? outside : inside], 60)
    const guard = guarded()
    for (let count = 0; count < 3; count++) assert.equal((await sendTo(url(), guard)).bodyExcerpt, 'outside')
    assert.equal(countA(), 1)
  })

  it('of this machine is loopback without being asked for, and refused outside development', async () => {
    reply = () => [outside]
    const local = `http://localhost:${victim.port}/`
    assert.equal((await sendTo(local, guarded(development))).bodyExcerpt, 'inside')
    assert.equal((await sendTo(local, guarded())).errorClass, 'refusedAddress')
    assert.equal(
      (await sendTo(`http://app.localhost.:${victim.port}/`, guarded())).errorClass,
      'refusedAddress',
    )
    assert.equal(names.questions.length, 0)
  })

  it('that is an address is vetted like one', async () => {
    const guard = guarded()
    for (const host of [inside, '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '127.1']) {
      assert.equal((await sendTo(`http://${host}:${victim.port}/`, guard)).errorClass, 'refusedAddress', host)
    }
    assert.equal((await sendTo(`http://${outside}:${receiver.port}/`, guard)).bodyExcerpt, 'outside')
    assert.equal(victim.connections.length, 0)
  })

  it('is not reached by http outside this machine, even where the network is exempted', async () => {
    reply = () => ['10.0.0.1']
    assert.equal((await sendTo(url(), guarded(productionBut('10.0.0.1')))).errorClass, 'refusedAddress')
  })
})
