/** Large bodies take cost units from their senders, small ones do not. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { RawSocket } from '../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { send, setProvider } from '../../support/webhooks/provider.ts'

const kibibyte = 1024
/** Nothing is earned back while the tests run. */
const slowly = 1_000_000
const costTooMuch = /cost too much/

onEitherDatabase('A caller who has sent large bodies', (database) => {
  let service: TestService
  before(async () => {
    const costPolicies = {
      address: { units: 5, windowSeconds: slowly },
      user: { units: 50, windowSeconds: slowly },
      tenant: { units: 100_000, windowSeconds: slowly },
    }
    service = await startService(database, {}, { costPolicies })
  })
  after(() => service.stop())

  const product = (more: unknown = 0) => JSON.stringify({ name: 'Desk', price: 1, more })
  const text = (bytes: number) => 'x'.repeat(bytes)

  it('sends further ones later, and small ones at once', async () => {
    const { admin, user } = await service.newTenant()
    const post = (body: string, client = user) => client.post('/api/products', body)
    assert.equal((await post(product(text(1000 * kibibyte)))).status, 201)
    const refused = await post(product(text(20 * kibibyte)))
    assertError(refused, 429, costTooMuch)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal((await post(product(text(15 * kibibyte)))).status, 201)
    assert.equal((await post(product(text(1000 * kibibyte)), admin)).status, 201)
  })

  it('has paid for members as well', async () => {
    const { user }: TestTenant = await service.newTenant()
    const members = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`m${index}`, 0]))
    assert.equal((await user.post('/api/products', product(members))).status, 201)
    assertError(await user.post('/api/products', product(text(20 * kibibyte))), 429, costTooMuch)
  })

  it('has paid also for what was refused', async () => {
    const { user } = await service.newTenant()
    const deep = '['.repeat(900 * kibibyte)
    assertError(await user.post('/api/products', deep), 400, 'The body is nested deeper than 100 levels.')
    assertError(await user.post('/api/products', deep), 429, costTooMuch)
  })

  it('is an address where nobody is signed in', async () => {
    const ask = (address: string) => {
      const body = { query: '{ __typename }', variables: { more: text(60 * kibibyte) } }
      return service.anonymous.post('/graphql', body, { 'x-forwarded-for': address })
    }
    assert.equal((await ask('203.0.113.1')).status, 200)
    assert.equal((await ask('203.0.113.1')).status, 200)
    assertError(await ask('203.0.113.1'), 429, costTooMuch)
    assert.equal((await ask('203.0.113.2')).status, 200)
  })

  it('is told to come back later on a WebSocket', async () => {
    const { user } = await service.newTenant()
    const { authorization } = user.headers
    const query = `{ __typename } # ${text(90 * kibibyte)}`
    const socket = await RawSocket.enter(service.url, { authorization })
    for (let id = 0; id < 12; id++) socket.subscribe(`${id}`, query)
    const [code, reason] = await socket.closed
    assert.equal(code, 1013)
    assert.match(reason, costTooMuch)
  })

  it('is a provider only when it has signed them, and then for itself', async () => {
    const tenant = await service.newTenant()
    await setProvider(tenant.admin)
    const large = (id: number) => JSON.stringify({ id: `${id}`, type: 'a.b', more: text(1000 * kibibyte) })
    const unsigned = { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=0` }
    for (let id = 0; id < 3; id++) assertError(await send(service, tenant, large(id), unsigned), 400)
    assert.equal((await send(service, tenant, large(1))).status, 200)
    assertError(await send(service, tenant, large(2)), 429, costTooMuch)
    assert.equal((await send(service, tenant, { id: '3', type: 'a.b' })).status, 200)
    assert.equal((await tenant.user.post('/api/products', product(text(20 * kibibyte)))).status, 201)
  })
})
