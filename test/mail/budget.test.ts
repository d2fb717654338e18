/** How many mails strangers can cause. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mailboxOf } from '../../src/core/mail-address.ts'
import { forTenant } from '../../src/core/tenant/each-tenant.ts'
import type { BudgetScope } from '../../src/mail/budget/budget.ts'
import { sendLimitedMail, sendNotice } from '../../src/mail/send.ts'
import { StillClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startInstance } from '../support/instance.ts'
import { startService, type TestService } from '../support/service.ts'
import { greet, greetingFeature, secretUrl } from './mail-feature.ts'

onEachDatabase('Mails that strangers cause', (database) => {
  const clock = new StillClock()
  const options = {
    features: [greetingFeature],
    clock: clock.now,
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

  const cause = async (
    { service: one }: Pick<TestService, 'service'>,
    tenantId: string,
    to: string,
    scope: BudgetScope = 'allTenants',
  ) => {
    const values = { name: 'Ada', url: secretUrl }
    return forTenant(await one.operator(), tenantId, (context) =>
      sendLimitedMail(context, 'test.greet', { to, values }, scope),
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

  it('are bounded for an address in each tenant, where other tenants must not show', async () => {
    const [one = '', other = ''] = tenantIds
    for (const tenantId of [one, other]) {
      const ids: (string | null)[] = []
      for (let count = 0; count < 4; count++)
        ids.push(await cause(service, tenantId, 'ada@each.example', 'tenant'))
      assert.equal(sent(ids), 3)
    }
  })

  it('are bounded for each template: one leaves the others alone', async () => {
    clock.advance({ seconds: 3600 })
    const [one = ''] = tenantIds
    const to = 'ada@templates.example'
    for (let count = 0; count < 4; count++) await cause(service, one, to)
    const values = { userName: 'ada', by: 'mail' } as const
    await forTenant(await service.service.operator(), one, async (context) => {
      for (let count = 0; count < 5; count++)
        await sendNotice(context, 'account.passwordChanged', { to, values })
    })
    const rows = await inspect(
      service.config.databaseUrl,
      `SELECT template, count(*) AS count FROM mail WHERE recipient = '${to}' GROUP BY template ORDER BY template`,
    )
    assert.deepEqual(
      rows.map(({ template, count }) => [template, Number(count)]),
      [
        ['account.passwordChanged', 3],
        ['test.greet', 3],
      ],
    )
  })

  it('are bounded for a tenant', async () => {
    const [, , id = ''] = tenantIds
    const ids: (string | null)[] = []
    for (let index = 0; index < 7; index++) ids.push(await cause(service, id, `user${index}@many.example`))
    assert.equal(sent(ids), 5)
  })

  it('are bounded when fifty come at once, also in several tenants', async () => {
    clock.advance({ seconds: 3600 })
    const other = database === 'postgres' ? await startInstance(service, options) : service
    const causes = Array.from({ length: 50 }, (_, index) =>
      cause(index % 2 === 0 ? service : other, tenantIds[index % 3] ?? '', 'ada@race.example'),
    )
    assert.equal(sent(await Promise.all(causes)), 3)
    if (other !== service) await other.stop()
  })
})

describe('A mailbox', () => {
  for (const [address, mailbox] of [
    ['Ada@Example.com', 'ada@example.com'],
    ['ada+shop+2@example.com', 'ada@example.com'],
    ['+ada@example.com', '+ada@example.com'],
    ['a.d.a@example.com', 'a.d.a@example.com'],
    ['A.d.a+shop@GoogleMail.com', 'ada@gmail.com'],
    ['ada.@gmail.com', 'ada@gmail.com'],
  ] as const)
    it(`of ${address} is ${mailbox}`, () => assert.equal(mailboxOf(address), mailbox))
})
