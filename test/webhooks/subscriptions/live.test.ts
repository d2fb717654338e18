/** The effect of a changed subscription on the deliveries that follow. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import Stripe from 'stripe'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'
import { type Received, type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'
import { changeSubscription, path, register } from './registration.ts'

const stripe = new Stripe('unused')

onEitherDatabase('A subscription that is live', (database) => {
  let service: TestService
  let receiver: Receiver
  before(async () => {
    service = await sharedService(database)
    receiver = await startReceiver((response) => response.end())
  })
  after(async () => {
    await service.stop()
    await receiver.close()
  })

  const publish = async ({ user }: TestTenant, name: string): Promise<void> => {
    assert.equal((await user.post('/api/products', { name, price: 1 })).status, 201)
  }
  const arrived = (name: string): Received[] =>
    receiver.requests.filter(({ body }) => JSON.parse(body).data.name === name)
  const arrival = async (name: string): Promise<Received> => {
    await eventually('the event arrives', soonMs, async () => arrived(name).length > 0)
    const [request] = arrived(name)
    assert.ok(request)
    return request
  }
  const verify = ({ body, headers }: Received, secret: string): unknown => {
    const signed = `t=${headers['x-webhook-timestamp']},${headers['x-webhook-signature']}`
    return stripe.webhooks.constructEvent(body, signed, secret)
  }

  const kinds = {
    'in the shared database': () => ({}),
    'in a database of its own': () => ({ connectionString: `sqlite:${randomBytes(6).toString('hex')}.db` }),
  }
  for (const [kind, members] of Object.entries(kinds)) {
    it(`${kind} lets what happens while it is paused arrive after it is resumed, once`, async () => {
      const tenant = await service.newTenant(members())
      const { id } = await register(tenant.user, { url: receiver.url, events: ['product.*'] })
      const watching = await register(tenant.user, { url: `${receiver.url}/watch`, events: ['product.*'] })
      await changeSubscription(tenant.user, id, { isActive: false })
      const name = randomBytes(6).toString('hex')
      await publish(tenant, name)
      assert.equal((await arrival(name)).path, '/watch')
      await tenant.user.delete(`${path}/${watching.id}`)
      assert.equal(arrived(name).length, 1)
      await changeSubscription(tenant.user, id, { isActive: true })
      await eventually('what waited arrives', soonMs, async () => arrived(name).length > 1)
      assert.deepEqual(
        arrived(name)
          .map((request) => request.path)
          .toSorted(),
        ['/', '/watch'],
      )
    })

    it(`${kind} is signed for with the former and the new secret during a rotation, and with its own headers`, async () => {
      const tenant = await service.newTenant(members())
      const headers = { Authorization: 'Bearer known' }
      const made = await register(tenant.user, { url: receiver.url, events: ['*'], headers })
      const rotated = await tenant.user.post(`${path}/${made.id}/rotate-secret`)
      const name = `${randomBytes(6).toString('hex')} \u{1f600}`
      await publish(tenant, name)
      const request = await arrival(name)
      verify(request, made.secret)
      verify(request, rotated.body.secret)
      assert.throws(() => verify({ ...request, body: `${request.body} ` }, made.secret))
      assert.equal(request.headers.authorization, 'Bearer known')
      assert.equal(request.headers['content-type'], 'application/json')
      assert.equal(request.headers['x-webhook-id'], JSON.parse(request.body).id)

      await tenant.user.post(`${path}/${made.id}/rotate-secret`, { secret: 'last', overlapHours: 0 })
      await publish(tenant, `${name} again`)
      const later = await arrival(`${name} again`)
      verify(later, 'last')
      assert.throws(() => verify(later, rotated.body.secret), /signature/i)
      assert.equal(later.headers['webhook-signature'], undefined)
    })
  }
})
