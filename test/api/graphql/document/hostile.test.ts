/** Requests that ask for too much are refused, each with its code, and the service goes on. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'
import { hostileRequests } from './hostile-documents.ts'

onEitherDatabase('GraphQL', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  for (const [title, { code, ...request }] of Object.entries(hostileRequests)) {
    it(`${code === null ? 'answers' : 'refuses'} ${title}`, async () => {
      const { status, body, text } = await tenant.user.post('/graphql', request)
      assert.equal(status, 200, text)
      assert.equal(body.errors?.[0].extensions.code ?? null, code, text)
      assert.equal('data' in body, code === null)
      assert.ok(text.length < 10_000, `the answer has ${text.length} characters`)
    })
  }

  it('refuses variables that are nested too deep in the address', async () => {
    const depth = 500
    const variables = `${'{"and":'.repeat(depth)}{}${'}'.repeat(depth)}`
    const query = 'query ($w: ProductFilterInput) { products(where: $w) { id } }'
    const search = new URLSearchParams({ query, variables: `{"w":${variables}}` })
    const { body } = await tenant.user.get(`/graphql?${search}`)
    assert.equal(body.errors[0].extensions.code, 'HC0047')
  })

  it('refuses bodies that are nested too deep, before it looks at them', async () => {
    const body = `{"query":"{ __typename }","variables":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`
    const { status, body: answer } = await tenant.user.post('/graphql', body)
    assert.deepEqual([status, answer], [400, { message: 'The body is nested deeper than 100 levels.' }])
  })

  it('refuses bodies that have very many objects, before it looks at them', async () => {
    const body = `{"query":"{ __typename }","variables":{"a":[${'{},'.repeat(200_000)}0]}}`
    const { status, body: answer } = await tenant.user.post('/graphql', body)
    const message = 'The body has more than 32768 members, lists and objects.'
    assert.deepEqual([status, answer], [400, { message }])
  })

  it('is alive after all of this', async () => {
    const { body } = await tenant.user.post('/graphql', { query: '{ products { id } }' })
    assert.deepEqual(body, { data: { products: [] } })
    assert.equal((await service.anonymous.get('/health')).status, 200)
  })
})
