/** Settings with `host: true`. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { setting } from '../../../src/core/tenant/settings/setting.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { startService, type TestService } from '../../support/service.ts'

const path = '/api/tenant/settings'
const quota = {
  name: 'quota',
  tenantSettings: {
    seats: setting(Type.Integer({ minimum: 1, description: 'How many users are paid for' }), {
      default: 3,
      host: true,
    }),
    invoicePrefix: setting(Type.String({ maxLength: 10 }), { default: 'INV-' }),
  },
}

onEitherDatabase('Settings of a tenant', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { features: [quota] })
  })
  after(() => service.stop())

  it('are those of the host where they say so: the tenant reads them, and the host changes them', async () => {
    const { id, admin } = await service.newTenant()
    const refused = await admin.put(path, { seats: 100, invoicePrefix: 'RE-' })
    assert.deepEqual(
      [refused.status, refused.body.message],
      [403, 'seats: only the host changes this setting.'],
    )
    assert.equal((await admin.put(path, { seats: null })).status, 403)
    const { seats, invoicePrefix } = (await admin.get(path)).body
    assert.deepEqual([seats, invoicePrefix], [3, 'INV-'])
    const mutation = { query: 'mutation { updateTenantSettings(input: { seats: 100 }) { seats } }' }
    const { errors } = (await admin.post('/graphql', mutation)).body
    assert.equal(errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED')

    const changed = await service.host.put(`/api/tenants/${id}/settings`, { seats: 100 })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await admin.get(path)).body.seats, 100)
    assert.equal((await service.host.get(path)).body.seats, 3)
    assert.deepEqual((await service.host.get(`/api/tenants/${id}/settings`)).body, changed.body)
    const others: [status: number, answer: Promise<{ status: number }>][] = [
      [400, service.host.put(`/api/tenants/${id}/settings`, { invoicePrefix: 'X-' })],
      [404, service.host.put('/api/tenants/nobody/settings', { seats: 5 })],
      [403, admin.put(`/api/tenants/${id}/settings`, { seats: 5 })],
      [403, admin.get(`/api/tenants/${id}/settings`)],
    ]
    for (const [status, answer] of others) assert.equal((await answer).status, status)
    const audited = (await admin.get('/api/audit?action=tenant.configured')).body
    assert.deepEqual(audited[0].detail, { seats: { before: 3, after: 100 } })
    assert.equal((await admin.put(path, { invoicePrefix: 'RE-' })).body.seats, 100)
    const { body } = await service.anonymous.get('/swagger/v1/swagger.json')
    const { TenantSettings, TenantSettingsInput } = body.components.schemas
    assert.equal(TenantSettings.properties.seats.readOnly, true)
    assert.deepEqual(
      [TenantSettings.properties.invoicePrefix.readOnly, TenantSettingsInput.properties.seats.readOnly],
      [undefined, undefined],
    )
  })
})
