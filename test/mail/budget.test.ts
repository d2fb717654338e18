/** How many mails strangers can cause. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { forTenant } from '../../src/core/tenant/each-tenant.ts'
import { sendLimitedMail } from '../../src/mail/send.ts'
import { StillClock } from '../support/clock.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startInstance } from '../support/instance.ts'
import { startService, type TestService } from '../support/service.ts'
import { greet, greetingFeature, secretUrl } from './mail-feature.ts'

onEachDatabase('Mails that strangers cause', (database) => {
  const clock = new StillClock()
  const options = {
    ...{ features: [greetingFeature], clock: clock.now },
    mailLimits: { perAddressPerHour: 3, perTenantPerHour: 5 },
    mailTransport: { send: async () => undefined },
  }
  let service: TestService
  let tenantIds: string[]
  before(async () => {
    service = await startService(database, {}, options)
    const tenants = [await service.newTenant(), await service.newTenant(), await service.newTenant()]
    tenantIds = tenants.map(({ id }) => id)
  })
  after(() => service.stop())

  const cause = async ({ service: one }: Pick<TestService, 'service'>, tenantId: string, to: string) => {
    const values = { name: 'Ada', url: secretUrl }
    return forTenant(await one.operator(), tenantId, (context) =>
      sendLimitedMail(context, 'test.greet', { to, values }),
    )
  }
  const sent = (ids: (string | null)[]) => ids.filter((id) => id !== null).length

  it('are bounded for an address, of all tenants together and however it is written, within an hour', async () => {
    const [one = '', other = ''] = tenantIds
    const to = 'ada@bounded.example'
    assert.notEqual(await cause(service, one, to), null)
    clock.advance({ seconds: 1800 })
    assert.notEqual(await cause(service, other, to), null)
    assert.notEqual(await cause(service, one, 'ADA@Bounded.Example'), null)
    assert.equal(await cause(service, other, to), null)
    assert.ok(await greet(service, one, to), 'a mail that nobody else causes is not counted')
    clock.advance({ seconds: 1800 })
    assert.notEqual(await cause(service, one, to), null)
    assert.equal(await cause(service, one, to), null)
  })

  it('are bounded for a tenant', async () => {
    const [, , id = ''] = tenantIds
    const ids: (string | null)[] = []
    for (let index = 0; index < 7; index++) ids.push(await cause(service, id, `user${index}@many.example`))
    assert.equal(sent(ids), 5)
  })

  it('are bounded when fifty come at once', async () => {
    clock.advance({ seconds: 3600 })
    const [, , id = ''] = tenantIds
    const other = database === 'postgres' ? await startInstance(service, options) : service
    const causes = Array.from({ length: 50 }, (_, index) =>
      cause(index % 2 === 0 ? service : other, id, 'ada@race.example'),
    )
    assert.equal(sent(await Promise.all(causes)), 3)
    if (other !== service) await other.stop()
  })
})
