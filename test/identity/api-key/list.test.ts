/** What is read of the API keys of a tenant. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('The API keys of a tenant', (database) => {
  let service: IdentityService
  before(async () => {
    service = await sharedIdentityService(database)
  })
  after(() => service.stop())

  const newKey = async (by: Client, permissions: string[], members: object) => {
    const made = await by.post('/api/api-keys', { permissions, ...members })
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  it('are found, sorted, counted and chosen from, in REST and GraphQL', async () => {
    const { admin, user } = await service.newTenant()
    const { id: actsFor } = (await admin.get('/api/users')).body[1]
    const expiresAt = '2999-01-31T09:30:00.000Z'
    await newKey(admin, ['order:read', 'user:read'], { name: 'First', expiresAt })
    await newKey(admin, [], { name: 'Second', allowedNetworks: ['203.0.113.0/24'] })
    const third = await newKey(admin, ['order:read'], { name: 'Third', actsFor })
    const list = (query: string) => admin.get(`/api/api-keys?${query}`)
    const namesOf = async (query: string) =>
      (await list(query)).body.map(({ name }: { name: string }) => name)
    assert.deepEqual(await namesOf(''), ['First', 'Second', 'Third'])
    assert.deepEqual(await namesOf('sort=-name'), ['Third', 'Second', 'First'])
    assert.deepEqual(await namesOf('sort=expiresAt,-createdAt'), ['Third', 'Second', 'First'])
    assert.deepEqual(await namesOf('name[icontains]=IR'), ['First', 'Third'])
    assert.deepEqual(await namesOf(`prefix=${third.prefix}`), ['Third'])
    assert.deepEqual(await namesOf('actsFor[isNull]=true&expiresAt[isNull]=true'), ['Second'])
    const page = await list('limit=1&count=true&fields=name,permissions,allowedNetworks&sort=-name')
    assert.deepEqual(page.body, [{ name: 'Third', permissions: ['order:read'], allowedNetworks: null }])
    assert.equal(page.headers.get('x-total-count'), '3')
    const next = /\?(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    assert.deepEqual((await list(next)).body, [
      { name: 'Second', permissions: [], allowedNetworks: ['203.0.113.0/24'] },
    ])
    assertError(await list('digest=x'), 400, /digest/)
    assertError(await list('fields=digest'), 400, /digest is not a member of a row/)
    const { key: _key, ...shown } = third
    assert.deepEqual((await admin.get(`/api/api-keys/${third.id.toUpperCase()}`)).body, shown)
    assertError(await user.get(`/api/api-keys/${third.id}`), 403, 'This requires the permission apiKey:read.')

    const document = `{
      apiKeys(where: { actsFor: { neq: null } }) { totalCount nodes { name permissions attributes actsFor } }
      apiKeysAggregate { count }
      apiKey(id: "${third.id}") { name prefix allowedNetworks lastUsedAt }
    }`
    assert.deepEqual((await admin.post('/graphql', { query: document })).body.data, {
      apiKeys: {
        totalCount: 1,
        nodes: [{ name: 'Third', permissions: ['order:read'], attributes: {}, actsFor }],
      },
      apiKeysAggregate: [{ count: 3 }],
      apiKey: { name: 'Third', prefix: third.prefix, allowedNetworks: null, lastUsedAt: null },
    })
    const refused = await user.post('/graphql', { query: document })
    assert.equal(refused.body.errors[0].message, 'This requires the permission apiKey:read.')
  })
})
