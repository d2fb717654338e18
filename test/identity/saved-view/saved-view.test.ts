/** Saved views: of their owners, and shared with others of the tenant. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import {
  password,
  person,
  sharedService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../support/service.ts'

onEitherDatabase('Saved views', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    for (const [name, permissions] of [
      ['Agent', ['order:read']],
      ['Clerk', ['order:read', 'category:read']],
      ['Blind', []],
    ] as const)
      await tenant.admin.post('/api/roles', { name, permissions })
  })
  after(() => service.stop())

  const newUser = async (...roles: string[]): Promise<Client> => {
    const made = await tenant.admin.post('/api/users', person(uniqueName('user'), { roles }))
    assert.equal(made.status, 201, made.text)
    return (await service.signIn(made.body.userName, tenant.id, password)).client
  }

  const newView = async (client: Client, members: object = {}) => {
    const made = await client.post('/api/views', { name: 'Open', entity: 'order', ...members })
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  const seen = async (client: Client, query = '') =>
    (await client.get(`/api/views${query}`)).body.map(({ id }: { id: string }) => id)

  it('keep filters, search, sort, columns, group, layout and density for their owner', async () => {
    const [owner, other] = [await newUser('Agent'), await newUser('Agent')]
    const shown = {
      query: { 'price[gt]': '3', search: 'tea', sort: '-createdAt' },
      columns: [{ name: 'name', width: 240, isPinned: true }, { name: 'price' }],
      group: 'category',
      layout: 'board',
      density: 'compact',
    }
    const made = await owner.post('/api/views', { name: ' Dear tea ', entity: 'order', ...shown })
    const { id, createdAt } = made.body
    assert.deepEqual(made.body, {
      ...{ id, name: 'Dear tea', entity: 'order', ...shown },
      ...{ sharedWith: 'nobody', roles: [], isDefaultFor: [], isOwn: true, isChangeable: true },
      ...{ createdAt, updatedAt: createdAt },
    })
    assert.equal(made.headers.get('location'), `/api/views/${id}`)
    assert.deepEqual((await owner.get(`/api/views/${id}`)).body, made.body)
    assert.deepEqual((await owner.get('/api/views')).body, [made.body])
    assert.deepEqual(await seen(other), [])
    for (const client of [other, tenant.admin]) {
      assertError(await client.get(`/api/views/${id}`), 404, /no such view/)
      assertError(await client.patch(`/api/views/${id}`, { name: 'Mine' }), 404, /no such view/)
      assertError(await client.delete(`/api/views/${id}`), 404, /no such view/)
    }
    assert.equal((await owner.delete(`/api/views/${id}`)).status, 204)
    assertError(await owner.get(`/api/views/${id}`), 404, /no such view/)
  })

  it('change in parts, as their tag says', async () => {
    const owner = await newUser('Agent')
    const { id } = await newView(owner, { query: { sort: 'name' } })
    const tag = (await owner.get(`/api/views/${id}`)).headers.get('etag') ?? ''
    const changed = await owner.patch(
      `/api/views/${id}`,
      { name: 'Closed', group: null },
      { 'if-match': tag },
    )
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual([changed.body.name, changed.body.query], ['Closed', { sort: 'name' }])
    assertError(
      await owner.patch(`/api/views/${id}`, { name: 'Lost' }, { 'if-match': tag }),
      412,
      /has changed/,
    )
    assertError(await owner.delete(`/api/views/${id}`, { 'if-match': tag }), 412, /has changed/)
    assert.equal((await owner.get(`/api/views/${id}`)).body.name, 'Closed')
  })

  it('are shared with everybody, or with the users of roles', async () => {
    const [agent, clerk] = [await newUser('Agent'), await newUser('Clerk')]
    const all = await newView(tenant.admin, { sharedWith: 'everybody' })
    const ofAgents = await newView(tenant.admin, { sharedWith: 'roles', roles: ['Agent'] })
    assert.deepEqual(await seen(agent), [all.id, ofAgents.id])
    assert.deepEqual(await seen(clerk), [all.id])
    assertError(await clerk.get(`/api/views/${ofAgents.id}`), 404, /no such view/)
    const { isOwn, isChangeable } = (await agent.get(`/api/views/${ofAgents.id}`)).body
    assert.deepEqual([isOwn, isChangeable], [false, false])
    const refused = /Only its owner, or whoever has the permission view:share/
    assertError(await agent.patch(`/api/views/${ofAgents.id}`, { name: 'Mine' }), 403, refused)
    assertError(await agent.delete(`/api/views/${ofAgents.id}`), 403, refused)
    await tenant.admin.patch(`/api/views/${ofAgents.id}`, { sharedWith: 'nobody' })
    assert.deepEqual(await seen(agent), [all.id])
    await tenant.admin.delete(`/api/views/${all.id}`)
    assert.deepEqual(await seen(agent), [])
    const { body: audit } = await tenant.admin.get('/api/audit')
    const recorded = audit.filter(({ subjectType }: { subjectType: string }) => subjectType === 'view')
    assert.deepEqual(
      recorded.slice(0, 4).map(({ action }: { action: string }) => action),
      ['view.withdrawn', 'view.withdrawn', 'view.shared', 'view.shared'],
    )
  })

  it('are shared only by holders of view:share, who change what others have shared', async () => {
    await tenant.admin.post('/api/roles', { name: 'Sharer', permissions: ['order:read', 'view:share'] })
    const [agent, sharer] = [await newUser('Agent'), await newUser('Sharer')]
    const { id } = await newView(agent)
    const share = { sharedWith: 'everybody' }
    const reason = /requires the permission view:share/
    assertError(await agent.post('/api/views', { name: 'A', entity: 'order', ...share }), 403, reason)
    assertError(await agent.patch(`/api/views/${id}`, share), 403, reason)
    const shared = await newView(sharer, { sharedWith: 'roles', roles: ['Agent'] })
    const taken = await tenant.admin.patch(`/api/views/${shared.id}`, {
      name: 'Ours',
      sharedWith: 'everybody',
    })
    assert.deepEqual([taken.status, taken.body.isOwn], [200, false])
    assert.equal((await sharer.delete(`/api/views/${shared.id}`)).status, 204)
  })

  it('are not shown to whoever does not read their entity, their owner included', async () => {
    const blind = await newUser('Blind')
    const { id } = await newView(tenant.admin, { sharedWith: 'everybody' })
    assert.deepEqual(await seen(blind), [])
    assertError(await blind.get(`/api/views/${id}`), 404, /no such view/)
    for (const entity of ['order', 'nothing'])
      assertError(
        await blind.post('/api/views', { name: 'A', entity }),
        400,
        /entity: names no entity whose rows you may read/,
      )
    const { body: user } = await tenant.admin.post(
      '/api/users',
      person(uniqueName('user'), { roles: ['Agent'] }),
    )
    const owner = (await service.signIn(user.userName, tenant.id, password)).client
    const own = await newView(owner)
    await tenant.admin.put(`/api/users/${user.id}`, { roles: ['Blind'] })
    const again = (await service.signIn(user.userName, tenant.id, password)).client
    assertError(await again.get(`/api/views/${own.id}`), 404, /no such view/)
    await tenant.admin.delete(`/api/views/${id}`)
  })

  it('are listed by their entity', async () => {
    const clerk = await newUser('Clerk')
    const orders = await newView(clerk)
    const categories = await newView(clerk, { entity: 'category' })
    assert.deepEqual(await seen(clerk), [orders.id, categories.id])
    assert.deepEqual(await seen(clerk, '?entity=category'), [categories.id])
    assert.deepEqual(await seen(clerk, '?entity=product'), [])
    assertError(await clerk.get('/api/views?entitiy=category'), 400, /entitiy/)
  })

  it('are the default of a role, which has one of each entity', async () => {
    const defaults = async (id: string) => (await tenant.admin.get(`/api/views/${id}`)).body.isDefaultFor
    const share = { sharedWith: 'everybody', isDefaultFor: ['Agent', 'Clerk'] }
    const first = await newView(tenant.admin, share)
    const second = await newView(tenant.admin, {
      ...{ sharedWith: 'roles', roles: ['Agent'], isDefaultFor: ['Agent'] },
    })
    const other = await newView(tenant.admin, { ...share, entity: 'category' })
    assert.deepEqual(
      [await defaults(first.id), await defaults(second.id), await defaults(other.id)],
      [['Clerk'], ['Agent'], ['Agent', 'Clerk']],
    )
    const refused = (members: object): Promise<Answer> =>
      tenant.admin.patch(`/api/views/${second.id}`, members)
    assertError(
      await refused({ isDefaultFor: ['Clerk'] }),
      400,
      /isDefaultFor: names a role that does not see/,
    )
    assertError(await refused({ isDefaultFor: ['Nobody'] }), 400, /isDefaultFor: names no role: Nobody/)
    assertError(await refused({ roles: ['Nobody'] }), 400, /roles: names no role: Nobody/)
    assertError(await refused({ roles: [] }), 400, /roles: must name a role/)
    assertError(
      await refused({ sharedWith: 'everybody', roles: ['Clerk'] }),
      400,
      /roles: requires sharedWith/,
    )
    await refused({ sharedWith: 'nobody' })
    assert.deepEqual(await defaults(second.id), [])
    for (const { id } of [first, second, other]) await tenant.admin.delete(`/api/views/${id}`)
  })

  it('have 8 kB each, and are at most a hundred of a user', async () => {
    const owner = await newUser('Agent')
    const query = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(1900)]))
    assertError(
      await owner.post('/api/views', { name: 'A', entity: 'order', query }),
      400,
      /larger than 8 kB/,
    )
    for (let number = 0; number < 100; number++) await newView(owner)
    assertError(await owner.post('/api/views', { name: 'A', entity: 'order' }), 400, /at most 100 views/)
  })

  it('need a user: an API key that acts for nobody sees what everybody sees, and makes none', async () => {
    const all = await newView(tenant.admin, { sharedWith: 'everybody' })
    const made = await tenant.admin.post('/api/api-keys', { name: 'Import', permissions: ['order:read'] })
    const key = service.anonymous.withToken(made.body.key)
    assert.deepEqual(await seen(key), [all.id])
    assertError(await key.post('/api/views', { name: 'A', entity: 'order' }), 403, /acts for none/)
    await tenant.admin.delete(`/api/views/${all.id}`)
  })
})
