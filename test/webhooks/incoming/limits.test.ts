/** How many rules and providers a tenant may have: each webhook may run the actions of all of them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { maxProviders } from '../../../src/webhooks/incoming/provider/provider.ts'
import { maxRules } from '../../../src/webhooks/incoming/rule/rule.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { sharedService, type TestService } from '../../support/service.ts'
import { insertCopies } from '../../support/webhooks/copies.ts'
import { addRule, addRules, receipt, secret, send, setProvider } from '../../support/webhooks/provider.ts'

const atOnce = 10
const room = 2

onEitherDatabase('A tenant has a bounded number', (database) => {
  let service: TestService
  before(async () => {
    service = await sharedService(database)
  })
  after(() => service.stop())

  it('of rules, paused ones counted, also when they are made at the same time', async () => {
    const { user } = await service.newTenant()
    const paused = await addRule(user, 'log')
    await user.send('PATCH', `/api/webhooks/rules/${paused}`, { isActive: false })
    await addRules(service, user, 'log', maxRules - room - 1)
    const input = { provider: 'stripe', eventType: '*', action: 'log' }
    const answers = await Promise.all(
      Array.from({ length: atOnce }, () => user.post('/api/webhooks/rules', input)),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, room)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) assertError(answer, 400, `A tenant has ${maxRules} rules at most.`)
    assert.equal((await user.get('/api/webhooks/rules')).body.length, maxRules)
    await user.delete(`/api/webhooks/rules/${paused}`)
    await addRule(user, 'log')
    const other = await service.newTenant()
    await addRule(other.user, 'log')
  })

  it('of providers, also when they are made at the same time', async () => {
    const { id, admin } = await service.newTenant()
    await setProvider(admin, 'usual-0')
    const others = Array.from({ length: maxProviders - room - 1 }, (_, index) => ({
      name: `usual-${index + 1}`,
    }))
    await insertCopies(service.service, `webhook_provider WHERE tenant_id = '${id}'`, others)
    const path = '/api/webhooks/providers'
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_each, index) => admin.put(`${path}/late-${index}`, { secret })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, room)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const answer of refused) assertError(answer, 400, `A tenant has ${maxProviders} providers at most.`)
    assert.equal((await admin.get(path)).body.length, maxProviders)
    await setProvider(admin, 'usual-0', { toleranceSeconds: 60 })
    await admin.delete(`${path}/usual-0`)
    await setProvider(admin, 'another')
  })

  it('of rules that run, where it has more from before', async () => {
    const tenant = await service.newTenant()
    await setProvider(tenant.admin)
    await addRules(service, tenant.user, 'none', maxRules)
    const { shared } = await service.service.operator()
    await shared.catalogueDatabase.transaction(async (transaction) => {
      await transaction.run(oneMore(tenant.id), [], false)
    })
    const { body } = await send(service, tenant, { type: 'a.b' })
    const oldest = (await tenant.user.get('/api/webhooks/rules')).body.slice(0, maxRules)
    assert.deepEqual(
      (await receipt(tenant.user, body.id)).runs.map(({ ruleId }: { ruleId: string }) => ruleId),
      oldest.map(({ id }: { id: string }) => id),
    )
  })
})

/** Behind all that the service makes. */
function oneMore(tenantId: string): string {
  return `INSERT INTO webhook_rule (tenant_id, id, provider, provider_key, event_type, action, is_active, created_at)
    SELECT tenant_id, 'ffffffff-ffff-7fff-8fff-ffffffffffff', provider, provider_key, event_type, action, is_active, created_at
    FROM webhook_rule WHERE tenant_id = '${tenantId}' LIMIT 1`
}
