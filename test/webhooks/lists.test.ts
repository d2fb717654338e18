/** Rules, providers and subscriptions are listed like the rows of an entity. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'
import { openPortal } from './portal/portal.ts'

onEachDatabase('The lists of webhooks', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    for (const [provider, scheme] of [
      ['stripe', 'stripe'],
      ['acme', 'standard-webhooks'],
    ])
      await created(
        tenant.admin.put(`/api/webhooks/providers/${provider}`, { secret: secretOf(scheme), scheme }),
      )
    for (const [by, provider, eventType] of [
      [tenant.admin, 'stripe', 'invoice.paid'],
      [tenant.user, 'stripe', 'charge.*'],
      [tenant.admin, 'acme', 'a.b'],
    ] as const)
      await created(by.post('/api/webhooks/rules', { provider, eventType, action: 'nothing' }))
    for (const [by, host, customer] of [
      [tenant.admin, 'b', 'shop'],
      [tenant.user, 'a', null],
      [tenant.admin, 'c', 'shop'],
    ] as const)
      await created(
        by.post('/api/webhooks/subscriptions', {
          url: `https://${host}.example/`,
          events: ['order.created', 'nothing.known'],
          headers: { Authorization: 'secret' },
          customer,
        }),
      )
  })
  after(() => service.stop())

  it('filter by each member that they name, sort, count, and have the chosen members', async () => {
    const { admin } = tenant
    assert.deepEqual(await membersOf(admin, 'rules?provider=stripe&sort=eventType&fields=eventType'), [
      { eventType: 'charge.*' },
      { eventType: 'invoice.paid' },
    ])
    assert.deepEqual(
      await membersOf(admin, 'subscriptions?customer=shop&sort=-createdAt&fields=url,secret'),
      [
        { url: 'https://c.example/', secret: 'masked' },
        { url: 'https://b.example/', secret: 'masked' },
      ],
    )
    assert.deepEqual(await membersOf(admin, 'providers?scheme=stripe&fields=provider'), [
      { provider: 'stripe' },
    ])
    assert.deepEqual(await membersOf(admin, 'providers?fields=provider,scheme&sort=-provider'), [
      { provider: 'stripe', scheme: 'stripe' },
      { provider: 'acme', scheme: 'standard-webhooks' },
    ])
    const counted = await admin.get('/api/webhooks/rules?provider[in]=acme,stripe&count=true&limit=1')
    assert.equal(counted.headers.get('x-total-count'), '3')
    assertError(await admin.get('/api/webhooks/subscriptions?secret=a'), 400, /secret/)
    assertError(
      await admin.get('/api/webhooks/subscriptions?sort=headers'),
      400,
      /headers is not a member to sort by/,
    )
  })

  it('lead from page to page, also by names in place of ids', async () => {
    for (const [list, count] of [
      ['rules', 3],
      ['providers', 2],
      ['subscriptions?sort=-createdAt', 3],
    ] as const) {
      const first = `/api/webhooks/${list}${list.includes('?') ? '&' : '?'}limit=1`
      const pages: object[] = []
      for (let path: string | null = first; path !== null; ) {
        const { body, headers } = await tenant.admin.get(path)
        pages.push(...body)
        path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, '') ?? null
      }
      assert.equal(pages.length, count, list)
      const whole = await tenant.admin.get(`/api/webhooks/${list}`)
      assert.deepEqual(pages, whole.body)
    }
  })

  it('are the same in GraphQL, with what is made after the read', async () => {
    for (const [list, plural, members] of [
      ['rules', 'webhookRules', 'id provider eventType action isActive createdAt owner unknownAction'],
      [
        'providers',
        'webhookProviders',
        'provider scheme secret formerSecretUntil toleranceSeconds createdAt updatedAt',
      ],
      [
        'subscriptions',
        'webhookSubscriptions',
        'id url events customer owner unknownEvents secret headers retrySeconds',
      ],
    ] as const) {
      const { body } = await tenant.admin.get(`/api/webhooks/${list}?fields=${members.replaceAll(' ', ',')}`)
      const answer = await tenant.admin.post('/graphql', {
        query: `{ ${plural} { totalCount nodes { ${members} } } }`,
      })
      assert.deepEqual(
        answer.body,
        { data: { [plural]: { totalCount: body.length, nodes: body } } },
        answer.text,
      )
    }
  })

  it('show others than administrators their own, by every way', async () => {
    const { user } = tenant
    const [rule] = await listOf(tenant.admin, 'rules?eventType=invoice.paid')
    const query = `{
      webhookRules { totalCount nodes { eventType } } webhookRulesAggregate { count }
      webhookRule(id: "${rule?.['id']}") { id }
      webhookSubscriptions { nodes { url } }
    }`
    const { body } = await user.post('/graphql', { query })
    assert.deepEqual(body.data, {
      webhookRules: { totalCount: 1, nodes: [{ eventType: 'charge.*' }] },
      webhookRulesAggregate: [{ count: 1 }],
      webhookRule: null,
      webhookSubscriptions: { nodes: [{ url: 'https://a.example/' }] },
    })
    assertError(await user.get(`/api/webhooks/rules/${rule?.['id']}`), 404, 'There is no such rule.')
    assert.equal((await listOf(user, 'rules?provider=stripe&sort=-provider')).length, 1)
    const refused = await user.post('/graphql', { query: '{ webhookProviders { totalCount } }' })
    assert.equal(refused.body.errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED', refused.text)
  })

  it('show a customer no owner', async () => {
    const { client } = await openPortal(tenant.admin, service.anonymous, { customer: 'shop' })
    const rows = await listOf(client, 'subscriptions?sort=createdAt')
    assert.deepEqual(
      rows.map(({ url, owner }) => ({ url, owner })),
      [
        { url: 'https://b.example/', owner: null },
        { url: 'https://c.example/', owner: null },
      ],
    )
  })
})

type Row = Record<string, unknown>

async function listOf(client: Client, list: string): Promise<Row[]> {
  const { status, body, text } = await client.get(`/api/webhooks/${list}`)
  assert.equal(status, 200, text)
  return body
}

/** Without the characters of secrets that a mask shows. */
async function membersOf(client: Client, list: string): Promise<Row[]> {
  const rows = await listOf(client, list)
  return rows.map((row) =>
    'secret' in row && /^whsec_\*{4}/.test(String(row['secret'])) ? { ...row, secret: 'masked' } : row,
  )
}

async function created(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  assert.ok(status === 200 || status === 201, text)
}

function secretOf(scheme = ''): string {
  return scheme === 'stripe' ? 'a secret of stripe' : `whsec_${Buffer.alloc(32, 7).toString('base64')}`
}
