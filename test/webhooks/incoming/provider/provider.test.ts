import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { foldTenantId } from '../../../../src/core/tenant/tenant-id.ts'
import { withTenantKeyLock } from '../../../../src/operations/tenant-lock.ts'
import { TestClock } from '../../../support/clock.ts'
import { dump } from '../../../support/database/inspect.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { receipt, secret, send, setProvider, signed } from '../../../support/webhooks/provider.ts'

const path = '/api/webhooks/providers'

onEitherDatabase('A provider', (database) => {
  const clock = new TestClock()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  /** Signed by the clock of the service. */
  const sendSigned = (body: object, key: string, provider: string) => {
    const text = JSON.stringify(body)
    const header = signed(text, Math.floor(clock.now().getTime() / 1000), key)
    return send(service, tenant, text, { [`${provider}-signature`]: header }, provider)
  }

  it('is set while another process holds the tenant for an operation', async () => {
    const { id, admin } = await service.newTenant()
    await withTenantKeyLock(await service.service.operator(), foldTenantId(id), {
      others: 'moving',
      allowUnknownTables: true,
      work: () => setProvider(admin),
    })
  })

  it('is set and read with a masked secret, under its name in any case', async () => {
    const made = await setProvider(tenant.admin, 'Acme-Pay', { scheme: 'stripe', toleranceSeconds: 60 })
    assert.equal(made.secret, '****LaSw')
    assert.equal(made.provider, 'acme-pay')
    assert.equal(made.toleranceSeconds, 60)
    assert.equal(made.formerSecretUntil, null)
    assert.deepEqual((await tenant.admin.get(`${path}/ACME-PAY`)).body, made)
    assert.deepEqual((await tenant.admin.get(path)).body, [made])
    assert.equal((await sendSigned({ a: 1 }, secret, 'acme-pay')).status, 200)
    assert.equal((await sendSigned({ a: 2 }, secret, 'ACME-Pay')).status, 200)
  })

  it('has its secret encrypted, and in no audit record', async () => {
    const hidden = 'whsec_not-to-be-found-anywhere'
    await setProvider(tenant.admin, 'hidden', { secret: hidden })
    assert.ok(!(await dump(service.config.databaseUrl)).includes(hidden))
    const { text, body } = await tenant.admin.get('/api/audit?action=webhookProvider.set')
    assert.ok(!text.includes(hidden))
    assert.equal(body[0].subjectId, 'hidden')
  })

  it('accepts both secrets while one replaces the other, and then the new one only', async () => {
    const at = async (key: string) => (await sendSigned({ key, at: clock.now() }, key, 'turning')).status
    await setProvider(tenant.admin, 'turning', { secret: 'first-secret' })
    const turned = await setProvider(tenant.admin, 'turning', { secret: 'second-secret', overlapHours: 0.1 })
    assert.notEqual(turned.formerSecretUntil, null)
    assert.deepEqual([await at('first-secret'), await at('second-secret')], [200, 200])
    await setProvider(tenant.admin, 'turning', { secret: 'second-secret' })
    assert.equal(await at('first-secret'), 200)
    clock.advance({ seconds: 361 })
    assert.deepEqual([await at('first-secret'), await at('second-secret')], [400, 200])
    assert.equal((await tenant.admin.get(`${path}/turning`)).body.formerSecretUntil, null)
  })

  it('accepts two at once and no more, and with overlapHours 0 one', async () => {
    const at = async (key: string) => (await sendSigned({ key, at: clock.now() }, key, 'two')).status
    for (const each of ['secret-a', 'secret-b', 'secret-c']) {
      await setProvider(tenant.admin, 'two', { secret: each })
    }
    assert.deepEqual([await at('secret-a'), await at('secret-b'), await at('secret-c')], [400, 200, 200])
    await setProvider(tenant.admin, 'two', { secret: 'secret-d', overlapHours: 0 })
    assert.deepEqual([await at('secret-c'), await at('secret-d')], [400, 200])
  })

  it('tells in the log which secret has signed', async () => {
    await setProvider(tenant.admin, 'which', { secret: 'the-former' })
    await setProvider(tenant.admin, 'which', { secret: 'the-newest' })
    const { body } = await sendSigned({ n: 1 }, 'the-former', 'which')
    assert.equal((await receipt(tenant.user, body.id)).verification.secret, 'former')
  })

  it('keeps what a change leaves out, and is judged by its own tolerance', async () => {
    await setProvider(tenant.admin, 'patient', { scheme: 'slack', toleranceSeconds: 1 })
    const changed = await tenant.admin.put(`${path}/patient`, { scheme: 'stripe' })
    assert.equal(changed.body.toleranceSeconds, 1)
    const old = Math.floor(clock.now().getTime() / 1000) - 100
    const header = { 'patient-signature': signed('{}', old) }
    assert.equal((await send(service, tenant, '{}', header, 'patient')).status, 400)
    await tenant.admin.put(`${path}/patient`, { toleranceSeconds: 200 })
    assert.equal((await send(service, tenant, '{}', header, 'patient')).status, 200)
  })

  it('is refused without a secret, with a name that fits into no header, or a faulty member', async () => {
    assertError(await tenant.admin.put(`${path}/none`, {}), 400, 'secret: is required')
    assertError(await tenant.admin.put(`${path}/none`, { secret: '' }), 400, /^secret/)
    assertError(await tenant.admin.put(`${path}/a%20b`, { secret }), 400, /^provider/)
    assertError(await tenant.admin.put(`${path}/a`, { secret, scheme: 'md5' }), 400, /^scheme/)
    assertError(
      await tenant.admin.put(`${path}/a`, { secret, toleranceSeconds: 0 }),
      400,
      /^toleranceSeconds/,
    )
    const plain = { secret: 'not base64!', scheme: 'standard-webhooks' }
    assertError(await tenant.admin.put(`${path}/a`, plain), 400, /^secret/)
    assertError(await tenant.admin.get(`${path}/none`), 404)
    assertError(await tenant.admin.delete(`${path}/none`), 404)
    assertError(await service.anonymous.get(path), 401)
  })
})
