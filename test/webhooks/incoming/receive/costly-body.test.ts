/** A verified body that would cost too much to parse is stored without being parsed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { send, setProvider, signed } from '../../../support/webhooks/provider.ts'

describe('A webhook', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite')
    tenant = await service.newTenant()
    await setProvider(tenant.admin)
  })
  after(() => service.stop())

  /** @returns the type that was found in the body */
  async function typeOf(body: string, contentType = 'application/json'): Promise<string | null> {
    const headers = { 'stripe-signature': signed(body), 'content-type': contentType }
    const answer = await send(service, tenant, body, headers)
    assert.equal(answer.status, 200, answer.text)
    const receipt = await tenant.admin.get(`/api/webhooks/receipts/${answer.body.id}`)
    return receipt.body.eventType
  }

  it('is not parsed as JSON with more members, or nested deeper, than a body may be', async () => {
    const withObjects = (count: number) => `{"type":"a.b","list":[${Array(count).fill('{}')}]}`
    assert.equal(await typeOf(withObjects(30_000)), 'a.b')
    assert.equal(await typeOf(withObjects(33_000)), null)
    const nested = (levels: number) => `{"type":"a.b","list":${'['.repeat(levels)}1${']'.repeat(levels)}}`
    assert.equal(await typeOf(nested(99).padEnd(5000)), 'a.b')
    assert.equal(await typeOf(nested(100).padEnd(5000)), null)
  })

  it('is not parsed as a form of more than 1 000 fields', async () => {
    const form = (fields: number) => `type=a.b${'&a=1'.repeat(fields - 1)}`
    const type = 'application/x-www-form-urlencoded'
    assert.equal(await typeOf(form(1000), type), 'a.b')
    assert.equal(await typeOf(form(1001), type), null)
  })
})
