import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { matchesType } from '../../../../src/webhooks/incoming/rule/rule.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { walkPages } from '../../../support/pages.ts'
import { runSeed, runsOf } from '../../../support/run/extent.ts'
import { sharedService, type TestService, type TestTenant, uniqueName } from '../../../support/service.ts'
import { addRule, receipt, send, setProvider } from '../../../support/webhooks/provider.ts'

const path = '/api/webhooks/rules'

describe('The type in a rule', () => {
  const cases: [pattern: string, type: string | null, expected: boolean][] = [
    ['a.b', 'a.b', true],
    ['a.b', 'a.bc', false],
    ['a.b', 'A.b', false],
    ['*', null, true],
    ['**', null, true],
    ['a.*', null, false],
    ['(none)', null, true],
    ['(none)', '(none)', false],
    ['(*', '(none)', true],
    ['*', 'anything', true],
    ['a.*', 'a.b.c', true],
    ['a.*', 'a.', true],
    ['a.*', 'ab', false],
    ['*.created', 'customer.created', true],
    ['*.created', 'customer.created!', false],
    ['orders/*', 'orders/create', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*b*b*', 'abcb', true],
    ['*b*b*', 'abc', false],
    ['a.c', 'abc', false],
  ]
  for (const [pattern, type, expected] of cases) {
    it(`${pattern} ${expected ? 'matches' : 'does not match'} ${type ?? 'an event without a type'}`, () => {
      assert.equal(matchesType(pattern, type), expected)
    })
  }

  it('means what the same expression with any run for `*` means', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 })
    const same = fc.property(word, word, (pattern, text) => {
      const type = text.replaceAll('*', 'a')
      const source = pattern.split('*').map((part) => part.replaceAll('.', '\\.'))
      assert.equal(matchesType(pattern, type), new RegExp(`^${source.join('.*')}$`).test(type))
    })
    fc.assert(same, { numRuns: runsOf(500, 2000), seed: runSeed })
  })

  it('is compared in no time, whatever the pattern', () => {
    const began = process.cpuUsage()
    matchesType('*a'.repeat(100), `${'a'.repeat(10_000)}b`)
    const { user, system } = process.cpuUsage(began)
    assert.ok(user + system < 100_000)
  })
})

onEitherDatabase('A rule', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('is made as it was given, active, and listed in the order of creation', async () => {
    const input = { provider: 'Stripe', eventType: 'charge.*', action: 'any name at all' }
    const made = await tenant.user.post(path, input)
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.get('location'), `${path}/${made.body.id}`)
    assert.deepEqual({ ...made.body, ...input, isActive: true }, made.body)
    await addRule(tenant.user, 'log')
    const { body } = await tenant.user.get(path)
    assert.deepEqual(body[0], made.body)
    assert.equal(body.length, 2)
    const pages = await walkPages(tenant.user, `${path}?limit=1`)
    assert.deepEqual(
      pages.flatMap((page) => page.body),
      body,
    )
  })

  it('is changed member by member, and deleted', async () => {
    const id = await addRule(tenant.user, 'log', 'a.b', 'hub')
    const changed = await tenant.user.send('PATCH', `${path}/${id}`, { isActive: false, eventType: 'a.*' })
    assert.equal(changed.status, 200, changed.text)
    const { provider, eventType, action, isActive } = changed.body
    assert.deepEqual([provider, eventType, action, isActive], ['hub', 'a.*', 'log', false])
    assert.equal((await tenant.user.delete(`${path}/${id}`)).status, 204)
    assertError(await tenant.user.delete(`${path}/${id}`), 404)
    assertError(await tenant.user.send('PATCH', `${path}/${id}`, {}), 404)
  })

  it('may be for events without a type alone', async () => {
    const provider = uniqueName('typeless')
    await setProvider(tenant.admin, provider)
    const id = await addRule(tenant.user, 'log', '(none)', provider)
    await addRule(tenant.user, 'log', 'a.*', provider)
    const statusOf = async (body: Record<string, unknown>) => {
      const sent = await send(service, tenant, body, null, provider)
      return (await receipt(tenant.admin, sent.body.id)).status
    }
    assert.equal(await statusOf({ n: 1 }), 'SUCCEEDED')
    assert.equal(await statusOf({ type: 'b.c' }), 'UNMATCHED')
    assert.equal(await statusOf({ type: '(none)' }), 'UNMATCHED')
    const tried = (sample: object) => tenant.user.post(`${path}/${id}/dry-run`, sample)
    assert.equal((await tried({ body: { n: 1 } })).body.outcome, 'SUCCEEDED')
    assert.equal((await tried({ body: { type: 'b.c' } })).body.outcome, 'UNMATCHED')
  })

  it('is made once for one Idempotency-Key', async () => {
    const input = { provider: 'once', eventType: '*', action: 'log' }
    const key = { 'idempotency-key': 'once' }
    const first = await tenant.user.post(path, input, key)
    assert.deepEqual((await tenant.user.post(path, input, key)).body, first.body)
  })

  it('is refused without a provider, a type or an action', async () => {
    const input = { provider: 'stripe', eventType: '*', action: 'log' }
    for (const name of Object.keys(input)) {
      assertError(await tenant.user.post(path, { ...input, [name]: undefined }), 400, `${name}: is required`)
      assertError(await tenant.user.post(path, { ...input, [name]: '' }), 400, new RegExp(`^${name}: `))
    }
    assertError(await service.anonymous.post(path, input), 401)
  })

  it('leaves a trace in the audit', async () => {
    const id = await addRule(tenant.user, 'log')
    const { body } = await tenant.admin.get(`/api/audit?subjectId=${id}`)
    assert.deepEqual(
      body.map(({ action }: { action: string }) => action),
      ['webhookRule.created'],
    )
  })
})
