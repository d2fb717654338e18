/** Numbers are kept as they are written, or refused, in everything that is read as JSON. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { parseExactJson } from '../../../src/core/schema/exact-json.ts'
import { isExactNumber, parseKeepingNumbers } from '../../../src/core/schema/exact-number.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { RawSocket } from '../../support/graphql/raw-socket.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'
import { onlyDelivery, type Scene, sceneAt, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { addRule, received, setProvider } from '../../support/webhooks/provider.ts'

const inexact = ['9007199254740993', '820982911946154508', '0.1000000000000000000000001', '1e400', '-1e-400']
const refusal = /would not be kept exactly: send fewer digits, or a string where one is accepted\.$/

describe('A number in JSON', () => {
  it('is exact if JavaScript writes it with the same value', () => {
    const values = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger())
    fc.assert(
      fc.property(values, fc.nat(9), (value, zeros) => {
        const text = JSON.stringify(value)
        const more = '0'.repeat(zeros + 1)
        const longer = /[.e]/.test(text) ? text.replace(/(\.\d+)/, `$1${more}`) : `${text}.${more}`
        for (const each of [text, longer]) {
          assert.ok(isExactNumber(each), each)
          assert.deepEqual(parseExactJson(`{"a":[${each}]}`), { a: [JSON.parse(each)] })
        }
      }),
      { numRuns: runsOf(300, 10_000), seed: runSeed },
    )
  })

  it('is not exact with digits beyond those of a double', () => {
    const digits = fc.stringMatching(/^[1-9]\d{17,40}[1-9]$/)
    fc.assert(
      fc.property(digits, fc.constantFrom('', '.5', 'e-30', 'e300'), (text, end) => {
        for (const json of [`${text}${end}`, `-0.000${text}${end.replace('.', 'e')}`]) {
          assert.ok(!isExactNumber(json), json)
          assert.throws(() => parseExactJson(`["\\"123",{"a":${json}}]`), {
            kind: 'invalid',
            message: refusal,
          })
          assert.equal(JSON.stringify(parseKeepingNumbers(`["\\"",${json},1.50]`)), `["\\"",${json},1.5]`)
        }
      }),
      { numRuns: runsOf(300, 10_000), seed: runSeed },
    )
  })

  it('is only a number outside of texts', () => {
    const text = '{"9007199254740993":"9007199254740993 \\"1e400","a":"\\\\"}'
    assert.deepEqual(parseExactJson(text), JSON.parse(text))
  })

  it('is judged in a time that grows with its length', () => {
    const long = `1${'0'.repeat(500_000)}1`
    assert.ok(!isExactNumber(long))
    assert.ok(!isExactNumber(`0.${long}`))
    assert.ok(isExactNumber(`1.${'0'.repeat(500_000)}`))
  })
})

onEitherDatabase('A number that JavaScript would change', (database) => {
  let service: TestService
  let scene: Scene
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    scene = await sceneAt(service)
    tenant = await scene.service.newTenant()
  })
  after(async () => {
    await scene[Symbol.asyncDispose]()
    await service.stop()
  })

  it('is refused in bodies, in variables and documents of GraphQL', async () => {
    const { user } = tenant
    for (const number of inexact) {
      const event = `{"type":"thing.made","data":{"n":${number}}}`
      assertError(await user.post('/api/events', event), 400, refusal)
      assertError(await user.post('/api/products', `{"name":"Desk","price":${number}}`), 400, refusal)
      const document = 'query ($price: Decimal) { products(where: { price: { eq: $price } }) { id } }'
      const variables = `{"price":${number}}`
      const asked = `{"query":${JSON.stringify(document)},"variables":${variables}}`
      assertError(await user.post('/graphql', asked), 400, refusal)
      const query = new URLSearchParams({ query: document, variables })
      const got = await user.get(`/graphql?${query}`, { accept: 'application/json' })
      assert.match(got.text, /would not be kept exactly/)
      const literal = await user.post('/graphql', {
        query: document.replace('$price }', `${number} }`).replace('($price: Decimal)', ''),
      })
      assert.match(literal.text, /would not be kept exactly/)
    }
  })

  it('closes a WebSocket that sends it', async () => {
    await using socket = await RawSocket.enter(service.url, {
      authorization: tenant.user.headers['authorization'],
    })
    socket.send(
      '{"id":"1","type":"subscribe","payload":{"query":"{ products { id } }","variables":{"n":1e400}}}',
    )
    assert.match((await socket.closed)[1], /would not be kept exactly/)
  })

  it('goes through an incoming webhook to receivers and into the log as it came', async () => {
    const { user, admin } = tenant
    const receiver = await scene.receiver()
    await setProvider(admin)
    await addRule(user, 'publish')
    await subscribe(user, receiver, { events: ['stripe.*'] })
    const data =
      '{"id":"evt_1","type":"order.made","order":{"id":820982911946154508,"rate":0.1000000000000000000000001},"__proto__":{"x":1}}'
    await received(service, tenant, data)
    await scene.look()
    const [request] = receiver.requests
    assert.ok(String(request?.body).endsWith(`"data":${data}}`), String(request?.body))
    const { id } = await onlyDelivery(user)
    const { text } = await user.get(`/api/webhooks/deliveries/${id}`)
    assert.ok(text.includes(`"data":${data}`), text)
  })
})

onEitherDatabase('A member __proto__', (database) => {
  let service: TestService
  let scene: Scene
  before(async () => {
    service = await sharedService(database)
    scene = await sceneAt(service)
  })
  after(async () => {
    await scene[Symbol.asyncDispose]()
    await service.stop()
  })

  it('goes through an event to receivers, and changes no object', async () => {
    const { user } = await scene.service.newTenant()
    const receiver = await scene.receiver()
    await subscribe(user, receiver)
    const data =
      '{"__proto__":{"polluted":true},"a":{"__proto__":null,"constructor":{"prototype":{"polluted":1}}}}'
    const made = await user.post(
      '/api/events',
      `{"type":"thing.made","data":${data},"__proto__":{"type":"x"}}`,
    )
    assert.equal(made.status, 202, made.text)
    await scene.look()
    assert.ok(String(receiver.requests[0]?.body).endsWith(`"data":${data}}`))
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  })
})
