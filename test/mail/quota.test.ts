/** How many mails others can cause within a day: in a new tenant, from one network, and in all. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CollectedMails } from '../../src/testing/collected-mails.ts'
import type { Answer } from '../support/client.ts'
import { TestClock } from '../support/clock.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { person, startService, type TestService, uniqueName } from '../support/service.ts'

const newTenantPerDay = 3
const networkPerDay = 8
const perDay = 40

onEitherDatabase('The mails of a day', (database) => {
  const clock = new TestClock()
  let service: TestService
  let networks = 0
  before(async () => {
    const settings = {
      MAIL_NEW_TENANT_PER_DAY: `${newTenantPerDay}`,
      MAIL_NETWORK_PER_DAY: `${networkPerDay}`,
      MAIL_PER_DAY: `${perDay}`,
      MAIL_TRUSTED_TENANTS: 'Trusted',
    }
    service = await startService(database, settings, {
      clock: clock.now,
      mailTransport: new CollectedMails(),
    })
  })
  after(() => service.stop())

  const newNetwork = () => `10.2.${networks++}.7`
  const newTenant = async (id = uniqueName('tenant')) => {
    const { client } = await service.signIn('admin')
    const made = await client.post('/api/tenants', { id, name: 'Acme', admin: person('boss') })
    assert.equal(made.status, 201, made.text)
    return id
  }

  /** @returns the replies to invitations of strangers */
  async function invite(tenantId: string, count: number, networkOf = newNetwork): Promise<Answer[]> {
    const { client } = await service.signIn('boss', tenantId)
    const answers: Answer[] = []
    for (let number = 0; number < count; number++) {
      const body = { email: `${uniqueName('ada')}@example.com`, roles: ['User'] }
      answers.push(await client.post('/api/invitations', body, { 'x-forwarded-for': networkOf() }))
    }
    return answers
  }
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)

  it('are few in a new tenant, and twice as many with each day', async () => {
    const id = await newTenant()
    const answers = await invite(id, newTenantPerDay + 1)
    assert.deepEqual(statuses(answers), [...Array(newTenantPerDay).fill(201), 429])
    assertError(answers.at(-1) as Answer, 429) // it is not empty
    assert.deepEqual(statuses(await invite(await newTenant(), 1)), [201])
    clock.advance({ days: 1, seconds: 1 })
    const next = await invite(id, 2 * newTenantPerDay + 1)
    assert.deepEqual(statuses(next), [...Array(2 * newTenantPerDay).fill(201), 429])
    clock.advance({ days: 1, seconds: 1 })
  })

  it('leave half of those of a new tenant to other networks, whoever forgets passwords', async () => {
    const id = await newTenant()
    const { client } = await service.signIn('boss', id)
    const names = ['ada', 'bob', 'cid', 'dan'].map(uniqueName)
    for (const name of names) assert.equal((await client.post('/api/users', person(name))).status, 201)
    const forget = (userName: string, network: string) =>
      service.anonymous.post(
        '/api/auth/forgot-password',
        { userName },
        { 'x-forwarded-for': network, 'x-tenant-id': id },
      )
    const forgotten = async () => {
      const { body } = await client.get('/api/audit?action=user.passwordForgotten')
      return body.map(({ detail }: { detail: { isMailed: boolean } }) => detail.isMailed).toReversed()
    }
    for (const [index, name] of names.entries()) {
      assert.equal((await forget(name, '10.4.0.1')).status, 202)
      await eventually('the request', soonMs, async () => (await forgotten()).length === index + 1)
    }
    assert.deepEqual(await forgotten(), [true, true, false, false])
    assert.equal((await forget(names[2] ?? '', '10.4.0.2')).status, 202)
    await eventually('the request', soonMs, async () => (await forgotten()).length === names.length + 1)
    assert.equal((await forgotten()).at(-1), true)
    clock.advance({ days: 1, seconds: 1 })
  })

  it('are not few in a tenant that the operator trusts', async () => {
    const id = await newTenant('trusted')
    const answers = await invite(id, newTenantPerDay + 2)
    assert.deepEqual(statuses(answers), Array(newTenantPerDay + 2).fill(201))
    clock.advance({ days: 1, seconds: 1 })
  })

  it('are bounded for a network, whatever tenants it has, and not for others', async () => {
    const answers: Answer[] = []
    for (let number = 0; number < 4; number++)
      answers.push(...(await invite(await newTenant(), newTenantPerDay, () => '10.3.0.1')))
    assert.deepEqual(statuses(answers), [...Array(networkPerDay).fill(201), ...Array(4).fill(429)])
    assert.deepEqual(statuses(await invite(await newTenant(), 1, () => '10.3.0.2')), [201])
    clock.advance({ days: 1, seconds: 1 })
  })

  it('are bounded in all', async () => {
    const answers: Answer[] = []
    for (let number = 0; number < 14; number++)
      answers.push(...(await invite(await newTenant(), newTenantPerDay)))
    const sent = answers.filter(({ status }) => status === 201).length
    assert.equal(sent, perDay)
    assert.ok(
      statuses(answers)
        .slice(perDay)
        .every((status) => status === 429),
    )
    clock.advance({ days: 1, seconds: 1 })
    assert.deepEqual(statuses(await invite(await newTenant(), 1)), [201])
  })
})
