/** The feature of `docs/features.md` is the one in `examples`, and it works. */
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { Type } from 'typebox'
import { signUp } from '../../examples/sign-up.ts'
import { supplierFeature } from '../../examples/supplier/feature.ts'
import * as tenantry from '../../src/index.ts'
import { Nullable, readModel, Uuid } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import { eventsOf } from '../support/orders.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'
import { addRule, received, setProvider } from '../support/webhooks/provider.ts'
import { fencedBlocks, readDocument, root } from './markdown.ts'
import { Program } from './program.ts'

describe('the page on features', () => {
  const page = readDocument('docs/features.md')

  test('shows each file of the example as it is', () => {
    const files = [
      'start.ts',
      'tenantry.config.ts',
      'sign-up.ts',
      ...globSync('supplier/*.ts', { cwd: join(root, 'examples') }),
    ]
    assertShown(page, files)
    assert.equal(fencedBlocks(page).length, files.length)
  })

  test('leaves the invoice to the pages on its parts, which show each of its files', () => {
    const names = ['entities', 'files', 'jobs', 'settings', 'testing']
    const pages = names.map((name) => readDocument(`docs/${name}.md`)).join('\n')
    assertShown(pages, globSync('invoice/*.ts', { cwd: join(root, 'examples') }))
  })

  test('names verbs and schemas that the package has, and every one of them', () => {
    const { text: section = '' } = /## Verbs that you can call(?<text>[\s\S]*?)\n```/.exec(page)?.groups ?? {}
    const named = new Set([...section.matchAll(/`(\w+)/g)].map(([, name = '']) => name))
    const verb =
      /^(list|get|create|update|delete|deactivate|place|pay|cancel)(Tenant|User|Order|PublicTenant)/
    const verbs = Object.keys(tenantry).filter((name) => verb.test(name))
    assert.ok(verbs.length > 15)
    assert.deepEqual(
      [
        ...verbs,
        ...Object.keys(tenantry).filter((name) => /^(Tenant|User|Order)(Input|Update)$/.test(name)),
      ].filter((name) => !named.has(name)),
      [],
    )
    const offered = ['asOperator', 'inCatalogue', 'inTransaction', 'recordAudit', 'tenantSetting']
    assert.deepEqual(
      [...named]
        .filter((name) => verb.test(name) || offered.includes(name))
        .filter((name) => !(name in tenantry)),
      [],
    )
  })

  test('names the Node.js that the package asks for, and the one that it is tried with', () => {
    const { engines, devDependencies } = JSON.parse(readDocument('package.json'))
    assert.ok(page.includes(`Node.js ${engines.node.replace('>=', '')} or newer`))
    assert.ok(page.includes(`node@${devDependencies.node.split('.')[0]}`))
  })

  test('may say that an enumeration can be null', () => {
    const kind = Nullable(Type.Enum(['MAKER', 'DEALER']))
    assert.deepEqual(kind, { enum: ['MAKER', 'DEALER', null] })
    const { fields } = readModel(Type.Object({ id: Uuid, kind }, { $id: 'Nullable' }), { table: 'supplier' })
    const { kind: found, isNullable, values } = fields.get('kind') ?? {}
    assert.deepEqual([found, isNullable, values], ['enum', true, ['MAKER', 'DEALER']])
  })

  test('starts a service that stops on a signal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-example-'))
    const env = { ...process.env, PORT: '0', LOG_LEVEL: 'silent' }
    const program = new Program('node', [join(root, 'examples/start.ts')], { cwd: folder, env })
    try {
      const [, url] = await program.waitFor(/listens on (\S+)\n/)
      assert.equal((await fetch(`${url}/api/suppliers`)).status, 401)
      assert.equal(await program.stop(), 0)
    } finally {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

function assertShown(page: string, files: readonly string[]): void {
  assert.notEqual(files.length, 0)
  const shown = fencedBlocks(page).map(({ text }) => text)
  for (const file of files) {
    const text = readDocument(`examples/${file}`)
      .replaceAll(/'(?:\.\.\/)+src\/index\.ts'/g, "'tenantry'")
      .replaceAll(/'(?:\.\.\/)+src\/testing\.ts'/g, "'tenantry/testing'")
    assert.ok(shown.includes(text), `${file} is not shown as it is`)
  }
}

onEitherDatabase('The example feature', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: [supplierFeature, signUp] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('creates, lists and finds', async () => {
    const made = await tenant.user.post('/api/suppliers', { name: 'Nordic Timber', secret: 'ignored' })
    assert.equal(made.status, 201)
    const { id, createdAt } = made.body
    assert.deepEqual(made.body, { id, name: 'Nordic Timber', kind: 'MAKER', createdAt })
    assert.equal(made.headers.get('location'), `/api/suppliers/${id}`)
    assert.deepEqual((await tenant.user.get(`/api/suppliers/${id}`)).body, made.body)
    assert.deepEqual((await tenant.user.get('/api/suppliers?limit=1')).body, [made.body])
  })

  it('checks what comes in', async () => {
    const { status, body } = await tenant.user.post('/api/suppliers', {})
    assert.deepEqual({ status, body }, { status: 400, body: { message: 'name: is required' } })
    assert.equal((await service.anonymous.get('/api/suppliers')).status, 401)
    const strange = await tenant.user.post('/api/suppliers', { name: 'Odd', kind: 'THIEF' })
    const message = 'kind: must be one of MAKER, DEALER'
    assert.deepEqual([strange.status, strange.body], [400, { message }])
  })

  it('has an enumeration that filters and orders', async () => {
    for (const kind of ['DEALER', 'MAKER'])
      await tenant.user.post('/api/suppliers', { name: `An enumerated ${kind}`, kind })
    const query = `{
      suppliers(where: { name: { startsWith: "An enumerated" }, kind: { eq: DEALER } }, order: { kind: ASC }) {
        nodes { name kind }
      }
      __type(name: "SupplierKind") { enumValues { name } }
    }`
    const { body } = await tenant.user.post('/graphql', { query })
    assert.deepEqual(body.data.suppliers.nodes, [{ name: 'An enumerated DEALER', kind: 'DEALER' }])
    assert.deepEqual(body.data.__type.enumValues, [{ name: 'MAKER' }, { name: 'DEALER' }])
  })

  it('creates once for each key', async () => {
    const key = { 'idempotency-key': uniqueName('key') }
    const first = await tenant.user.post('/api/suppliers', { name: 'Once' }, key)
    const again = await tenant.user.post('/api/suppliers', { name: 'Once' }, key)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
  })

  it('keeps tenants apart, whichever database they are in', async () => {
    const made = await tenant.user.post('/api/suppliers', { name: 'Only ours' })
    const file = `sqlite:${uniqueName('own')}.db`
    for (const other of [await service.newTenant(), await service.newTenant({ connectionString: file })]) {
      assert.deepEqual((await other.user.get('/api/suppliers')).body, [])
      assert.equal((await other.user.get(`/api/suppliers/${made.body.id}`)).status, 404)
    }
  })

  it('tells of a new supplier', async () => {
    const made = await tenant.user.post('/api/suppliers', { name: 'Told of' })
    const told = (await eventsOf(service, tenant.id)).at(-1)
    assert.equal(told?.type, 'supplier.created')
    assert.deepEqual(told.data, { supplierId: made.body.id, name: 'Told of' })
    const { body } = await tenant.user.get('/api/webhooks/event-types')
    assert.ok(body.some(({ type }: { type: string }) => type === 'supplier.created'))
  })

  it('makes one of what a provider sends, once', async () => {
    await setProvider(tenant.admin)
    await addRule(tenant.user, 'supplier.create')
    const body = { id: 'evt_1', type: 'vendor.added', data: { name: 'By webhook' } }
    for (let time = 0; time < 2; time++) await received(service, tenant, body)
    const { body: all } = await tenant.user.get('/api/suppliers?limit=200')
    assert.equal(all.filter(({ name }: { name: string }) => name === 'By webhook').length, 1)
  })

  it('signs up a tenant with its first administrator, in one go', async () => {
    const [id, key] = [uniqueName('acme'), { 'idempotency-key': uniqueName('key') }]
    const input = { id, name: 'Acme', admin: person('ada'), plan: 'gold', connectionString: 'sqlite:mine.db' }
    const headers = { ...fromAnyAddress(), ...key }
    const made = await service.anonymous.post('/api/sign-up', input, headers)
    assert.deepEqual([made.status, made.body], [201, { id, name: 'Acme' }], made.text)
    const repeated = await service.anonymous.post('/api/sign-up', input, headers)
    assert.deepEqual([repeated.status, repeated.text], [201, made.text])
    const { client } = await service.signIn('ada', id)
    const { body: tenants } = await client.get('/api/tenants')
    assert.partialDeepStrictEqual(tenants, [{ id, plan: 'trial', isActive: true }])
    assert.equal((await client.get(`/api/tenants/${id}/database`)).body.kind, 'shared')
    assert.deepEqual((await client.get('/api/auth/me')).body.roles, ['Admin'])
    const types = (await eventsOf(service, id)).map(({ type }) => type)
    assert.deepEqual(types, ['tenant.created', 'user.created'])
    const { body: audit } = await client.get('/api/audit?action=tenant.created')
    assert.partialDeepStrictEqual(audit, [{ actorName: 'operator', subjectId: id }])
  })

  it('refuses a sign-up as the route of tenants does, and leaves nothing behind', async () => {
    const id = uniqueName('acme')
    const wrong = [
      { id: tenant.id, name: 'Taken', admin: person('ada') },
      { id, name: 'Weak', admin: person('ada', { password: 'weak' }) },
      { id: '-', name: 'Malformed', admin: person('ada') },
      { id, name: 'Without a user name', admin: person('') },
    ]
    for (const input of wrong) {
      const answer = await service.anonymous.post('/api/sign-up', input, fromAnyAddress())
      const byRoute = await service.host.post('/api/tenants', input)
      assert.deepEqual([answer.status, answer.body], [400, byRoute.body])
    }
    assert.equal((await service.host.get(`/api/tenants/${id}`)).status, 404)
  })

  it('has its fields of GraphQL', async () => {
    const query = `mutation ($name: String!) { createSupplier(input: { name: $name }) { id name kind createdAt } }`
    const { body } = await tenant.user.post('/graphql', { query, variables: { name: 'By GraphQL' } })
    const { createSupplier: made } = body.data
    assert.deepEqual((await tenant.user.get(`/api/suppliers/${made.id}`)).body, made)
    assert.equal((await eventsOf(service, tenant.id)).at(-1)?.data['supplierId'], made.id)
    const found = `query ($id: UUID!) {
      supplier(id: $id) { name }
      suppliers(where: { name: { endsWith: "GraphQL" } }, order: { createdAt: DESC }) { totalCount nodes { id } }
    }`
    const { body: answer } = await tenant.user.post('/graphql', { query: found, variables: { id: made.id } })
    const suppliers = { totalCount: 1, nodes: [{ id: made.id }] }
    assert.deepEqual(answer, { data: { supplier: { name: 'By GraphQL' }, suppliers } })
    const { body: refused } = await tenant.user.post('/graphql', { query, variables: { name: '' } })
    const rest = await tenant.user.post('/api/suppliers', { name: '' })
    assert.equal(refused.errors[0].message, rest.body.message)
  })

  it('is described', async () => {
    const { body } = await service.anonymous.get('/swagger/v1/swagger.json')
    assert.deepEqual(Object.keys(body.paths['/api/suppliers']), ['parameters', 'get', 'post'])
    assert.ok('Supplier' in body.components.schemas)
  })
})
