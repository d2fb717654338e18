/** Sign-ins while the tenant's own database, which has its settings, cannot be reached. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { giveLogin } from '../../support/authenticator-app.ts'
import { TestClock } from '../../support/clock.ts'
import { type FutureDatabase, futureDatabase } from '../../support/database/future-database.ts'
import { Wire } from '../../support/database/wire.ts'
import { onEitherDatabase, postgresServerUrl } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService } from '../../support/service.ts'

/** Longer than the settings of a tenant's own database are cached. */
const cachedMs = 900

onEitherDatabase('A required second factor of a tenant whose own database is away', (database) => {
  const clock = new TestClock()
  let service: TestService
  let wire: Wire
  let future: FutureDatabase
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
    wire = await Wire.to(await postgresServerUrl())
    future = await futureDatabase(new URL(wire.url))
  })
  after(async () => {
    await service.stop()
    await wire.cut()
    await future.drop()
  })

  it('is asked for as if it were there, and only if it was required', async () => {
    const tenant = await service.newTenant({ connectionString: future.url })
    const asked = async () => {
      const { status, headers } = await giveLogin(service, { userName: 'worker', tenantId: tenant.id })
      return status === 200 ? null : headers.get('x-mfa-methods')
    }
    const require = async (value: boolean) => {
      const { status, text } = await tenant.admin.put('/api/tenant/settings', { requireSecondFactor: value })
      assert.equal(status, 200, text)
    }
    const isThere = async () => (await tenant.user.get('/api/products')).status === 200
    await wire.cut()
    assert.equal(await asked(), null)
    await wire.mend()
    await eventually('its database', soonMs, isThere)
    await require(true)
    await wire.cut()
    await delay(cachedMs)
    assert.equal((await tenant.user.get('/api/products')).status, 503)
    assert.equal(await asked(), 'enroll')
    await wire.mend()
    await eventually('its database', soonMs, isThere)
    await require(false)
    clock.advance({ seconds: 61 })
    assert.equal(await asked(), null)
    await wire.cut()
    await delay(cachedMs)
    assert.equal(await asked(), null)
  })
})
