/** A webhook of Twilio arrives as a form whose signature covers the address that was called. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'

const token = 'an auth token'
const fields = { MessageSid: 'SM1', MessageStatus: 'delivered', To: '+1 800 555 1212' }
const form = new URLSearchParams(fields).toString()

onEitherDatabase('A webhook of Twilio', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    const made = await tenant.admin.put('/api/webhooks/providers/twilio', { secret: token, scheme: 'twilio' })
    assert.equal(made.status, 200, made.text)
  })
  after(() => service.stop())

  const send = (path: string, signedPath = path) => {
    const signed = Object.entries(fields).map(([name, value]) => name + value)
    const text = `${service.anonymous.baseUrl}${signedPath}${signed.join('')}`
    return service.anonymous.send('POST', path, form, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', token).update(text).digest('base64'),
      'i-twilio-idempotency-token': 'token-1',
    })
  }

  it('is received once, with its id and type', async () => {
    const path = `/api/webhooks/receive/twilio?tenant=${tenant.id}`
    const { status, body, text } = await send(path)
    assert.equal(status, 200, text)
    assert.equal((await send(path)).body.id, body.id)
    const receipt = await tenant.admin.get(`/api/webhooks/receipts/${body.id}`)
    assert.deepEqual([receipt.body.eventId, receipt.body.eventType], ['token-1', 'delivered'])
  })

  it('is refused at another address than the one that was signed', async () => {
    const path = `/api/webhooks/receive/twilio?tenant=${tenant.id}`
    assertError(await send(path, `${path}&more=1`), 400)
    assertError(await send(path.replace('twilio', 'TWILIO'), path), 400)
  })
})
