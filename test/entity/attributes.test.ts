/** Attributes of users and API keys: declared by the application, written by administrators, and asked by rules of rows. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { any, boolean, entity, listOf, oneOf, reference, text, user } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { type Instance, startOther } from '../support/instance.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'
import { migrated } from './migrated.ts'

const depot = entity('depot', { fields: { name: text() } })
const parcel = entity('parcel', {
  fields: {
    title: text(),
    region: text().optional(),
    size: oneOf('small', 'large').default('small'),
    depot: reference(depot).optional(),
    owner: user().optional(),
  },
  sort: ['region', 'size'],
  access: {
    rows: ({ row, actor }) =>
      any(
        row.owner.is(actor.id),
        row.region.in(actor.claims('region')),
        row.region.in(actor.claims('regions')),
        row.depot.in(actor.claims('depots')),
        actor.has('seesAll'),
      ),
  },
})
const attributes = {
  region: text({ max: 20 }).describe('The sales region'),
  regions: listOf(text(), 100),
  depots: listOf(text()),
  shift: oneOf('day', 'night'),
  seesAll: boolean(),
}

onEitherDatabase('Attributes', (database) => {
  let service: TestService
  let other: Instance
  let tenant: TestTenant
  const options = { features: migrated([depot, parcel]), attributes }
  before(async () => {
    service = await startService(database, {}, options)
    other = await startOther(service, options)
    tenant = await service.newTenant()
    for (const region of ['north', 'south', 'east'])
      await tenant.admin.post('/api/parcels', { title: region, region })
    await tenant.admin.post('/api/parcels', { title: 'nowhere' })
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  const make = async (members: object = {}) => {
    const name = uniqueName('user')
    const made = await tenant.admin.post('/api/users', person(name, { ...members }))
    assert.equal(made.status, 201, made.text)
    return { name, ...made.body, ...(await service.signIn(name, tenant.id)) }
  }
  const change = async (id: string, value: object) => {
    const changed = await tenant.admin.put(`/api/users/${id}`, { attributes: value })
    assert.equal(changed.status, 200, changed.text)
    return changed.body.attributes
  }
  const titles = async (client: Client) => {
    const { status, body, text: reply } = await client.get('/api/parcels')
    assert.equal(status, 200, reply)
    return body.map(({ title }: { title: string }) => title)
  }
  const manyRegions = ['east', ...Array.from({ length: 60 }, (_, index) => `r${index}`)]
  const rows: [what: string, attributes: object, seen: string[]][] = [
    ['no attribute', {}, []],
    ['an empty list', { regions: [] }, []],
    ['one text', { region: 'north' }, ['north']],
    ['one of a list', { regions: ['south'] }, ['south']],
    ['several of a list', { regions: ['south', 'east', 'south'] }, ['south', 'east']],
    ['more than 32 of a list', { regions: manyRegions }, ['east']],
    ['a boolean that is false', { seesAll: false }, []],
    ['a boolean that is true', { seesAll: true }, ['north', 'south', 'east', 'nowhere']],
    ['texts that are no ids, where the rule asks for ids', { depots: ['x', ''.padEnd(36, '0')] }, []],
  ]
  for (const [what, value, seen] of rows)
    it(`give rows for ${what}`, async () => {
      const { client, id } = await make({ attributes: value })
      assert.deepEqual(await titles(client), seen)
      assert.equal(
        (await client.get('/api/parcels?count=true')).headers.get('x-total-count'),
        `${seen.length}`,
      )
      const { body } = await client.post('/graphql', { query: '{ parcels { totalCount } }' })
      assert.equal(body.data.parcels.totalCount, seen.length)
      if (Object.keys(value).length === 0)
        assert.deepEqual(await change(id, { region: 'east' }), { region: 'east' })
    })

  it('compare ids in any case', async () => {
    const { body: made } = await tenant.admin.post('/api/depots', { name: 'one' })
    const row = await tenant.admin.post('/api/parcels', { title: 'of depot', depotId: made.id })
    const { client } = await make({ attributes: { depots: [made.id.toUpperCase(), 'none'] } })
    assert.deepEqual(await titles(client), ['of depot'])
    await tenant.admin.delete(`/api/parcels/${row.body.id}`)
  })

  it('take effect within a second on every instance, without a new sign-in', async () => {
    const { client, id, accessToken } = await make({ attributes: { region: 'north' } })
    const there = other.anonymous.withToken(accessToken)
    assert.deepEqual(await titles(there), ['north'])
    assert.deepEqual(await change(id, { region: null, regions: ['south'] }), { regions: ['south'] })
    for (const each of [client, there])
      await eventually('the change', soonMs, async () => (await titles(each)).join() === 'south')
    await change(id, { regions: null })
    for (const each of [client, there])
      await eventually('the loss', soonMs, async () => (await titles(each)).length === 0)
  })

  it('are shown, merged and audited', async () => {
    const { id } = await make({ attributes: { region: 'north', shift: 'day' } })
    assert.deepEqual(await change(id, { shift: 'night' }), { region: 'north', shift: 'night' })
    const { body: got } = await tenant.admin.get(`/api/users/${id}`)
    assert.deepEqual(got.attributes, { region: 'north', shift: 'night' })
    const { body: all } = await tenant.admin.get('/api/users?limit=200')
    const listed = all.find((each: { id: string }) => each.id === id)
    assert.deepEqual(listed.attributes, got.attributes)
    const { body: audit } = await tenant.admin.get(`/api/audit?subjectId=${id}`)
    const details = Object.fromEntries(
      audit.map(({ action, detail }: { action: string; detail: object }) => [action, detail]),
    )
    assert.deepEqual(details['user.created'].attributes, { region: 'north', shift: 'day' })
    assert.deepEqual(details['user.updated'].attributes, { region: 'north', shift: 'night' })
    const { body: declared } = await tenant.admin.get('/api/user-attributes')
    assert.deepEqual(declared[0], {
      name: 'region',
      kind: 'text',
      values: null,
      description: 'The sales region',
    })
    assert.deepEqual(
      declared.map(({ name, kind }: { name: string; kind: string }) => `${name} ${kind}`),
      ['region text', 'regions list', 'depots list', 'shift oneOf', 'seesAll boolean'],
    )
  })

  const refused: [what: string, attributes: unknown, reason: RegExp][] = [
    ['an unknown name', { regoin: 'x' }, /^attributes\.regoin: is no attribute; did you mean region/],
    ['a name of every object', { constructor: 'x' }, /^attributes\.constructor: is no attribute/],
    ['a word that is not declared', { shift: 'noon' }, /^attributes\.shift: must be one of day, night/],
    ['a list for a text', { region: ['north'] }, /^attributes\.region/],
    ['a text for a list', { regions: 'north' }, /^attributes\.regions/],
    ['a long text', { region: 'x'.repeat(21) }, /^attributes\.region/],
    ['a number', { region: 1 }, /^attributes/],
    ['no object', [], /^attributes/],
  ]
  for (const [what, value, reason] of refused)
    it(`refuse ${what}`, async () => {
      const name = uniqueName('user')
      const made = await tenant.admin.post('/api/users', person(name, { attributes: value }))
      assert.equal(made.status, 400, made.text)
      assert.match(made.body.message, reason)
      const by = await make()
      assert.equal((await tenant.admin.put(`/api/users/${by.id}`, { attributes: value })).status, 400)
    })

  it('are never written by the user', async () => {
    await tenant.admin.post('/api/roles', {
      name: 'Manager',
      permissions: ['user:read', 'user:write', 'invitation:write', 'parcel:read'],
    })
    const { client, id } = await make({ roles: ['Manager', 'User'], attributes: { region: 'north' } })
    const own = { attributes: { region: 'south' } }
    const answer = await client.put(`/api/users/${id}`, own)
    assert.deepEqual([answer.status, answer.body], [403, { message: 'Nobody changes their own attributes.' }])
    assert.equal((await client.put(`/api/users/${id}`, { attributes: { region: 'north' } })).status, 200)
    const profile = { currentPassword: 'x', newPassword: 'y', ...own }
    await client.put('/api/users/me/password', profile)
    for (const [method, path] of [
      ['PUT', '/api/auth/me'],
      ['PATCH', '/api/auth/me'],
      ['PUT', '/api/users/me'],
      ['PATCH', `/api/users/${id}`],
    ] as const)
      assert.ok((await client.send(method, path, own)).status >= 400, `${method} ${path}`)
    assert.deepEqual((await tenant.admin.get(`/api/users/${id}`)).body.attributes, { region: 'north' })
    assert.deepEqual(await titles(client), ['north'])
    const somebody = await make()
    assert.equal((await client.put(`/api/users/${somebody.id}`, own)).status, 200)
    const plain = await tenant.user.put(`/api/users/${somebody.id}`, own)
    assert.equal(plain.status, 403)
  })

  const newKey = async (members: object, by = tenant.admin) => {
    const permissions = ['parcel:read', 'parcel:write', 'user:write']
    return by.post('/api/api-keys', { name: 'key', permissions, ...members })
  }
  const asKey = (key: string) => service.anonymous.with({ 'x-api-key': key })

  it('of an API key give it rows', async () => {
    const { body, status, text: reply } = await newKey({ attributes: { regions: ['south'] } })
    assert.equal(status, 201, reply)
    assert.deepEqual([body.attributes, body.actsFor], [{ regions: ['south'] }, null])
    assert.deepEqual(await titles(asKey(body.key)), ['south'])
    const { body: plain } = await newKey({})
    assert.deepEqual(await titles(asKey(plain.key)), [])
    const { body: every } = await newKey({ permissions: ['parcel:read', 'parcel:all'] })
    assert.equal((await titles(asKey(every.key))).length, 4)
    const listed = (await tenant.admin.get('/api/api-keys')).body
    assert.deepEqual(listed.find(({ id }: { id: string }) => id === body.id).attributes, {
      regions: ['south'],
    })
    assert.equal((await newKey({ attributes: { regoin: 'x' } })).status, 400)
  })

  it('of a user are those of a key that acts for it, which has at most its permissions and ends with it', async () => {
    const { id } = await make({ attributes: { region: 'north' } })
    const { body: key } = await newKey({ actsFor: id })
    const client = asKey(key.key)
    const there = other.anonymous.with({ 'x-api-key': key.key })
    assert.deepEqual(await titles(client), ['north'])
    assert.deepEqual(await titles(there), ['north'])
    const owned = await client.post('/api/parcels', { title: 'own', ownerId: id })
    assert.equal(owned.status, 201, owned.text)
    assert.deepEqual((await client.get('/api/parcels?ownerId=me')).body.length, 1)
    assert.equal((await client.delete(`/api/parcels/${owned.body.id}`)).status, 204)
    assert.equal((await client.put(`/api/users/${id}`, { attributes: { region: 'east' } })).status, 403)
    await change(id, { region: 'south' })
    for (const each of [client, there])
      await eventually('the change', soonMs, async () => (await titles(each)).join() === 'south')
    await tenant.admin.post('/api/roles', { name: 'Reader', permissions: ['depot:read'] })
    await tenant.admin.put(`/api/users/${id}`, { roles: ['Reader'] })
    for (const each of [client, there])
      await eventually(
        'fewer permissions',
        soonMs,
        async () => (await each.get('/api/parcels')).status === 403,
      )
    await tenant.admin.put(`/api/users/${id}`, { roles: ['User'], isActive: false })
    for (const each of [client, there])
      await eventually(
        'the deactivation',
        soonMs,
        async () => (await each.get('/api/parcels')).status === 401,
      )
    await tenant.admin.put(`/api/users/${id}`, { isActive: true })
    await eventually('the return', soonMs, async () => (await client.get('/api/parcels')).status === 200)
    assert.equal((await tenant.admin.delete(`/api/users/${id}`)).status, 204)
    for (const each of [client, there])
      await eventually('the end', soonMs, async () => (await each.get('/api/parcels')).status === 401)
    const listed = (await tenant.admin.get('/api/api-keys')).body
    assert.ok(!listed.some((each: { id: string }) => each.id === key.id))
    const { body: ended } = await tenant.admin.get(`/api/audit?subjectId=${key.id}`)
    assert.deepEqual(
      ended.map(({ action }: { action: string }) => action),
      ['apiKey.revoked', 'apiKey.created'],
    )
  })

  it('and keys that act for users are given by those who may write users', async () => {
    await tenant.admin.post('/api/roles', {
      name: 'KeyMaker',
      permissions: ['apiKey:read', 'apiKey:write', 'parcel:read', 'parcel:write'],
    })
    const maker = await make({ roles: ['KeyMaker', 'User'] })
    const { id: someone } = await make()
    const permissions = ['parcel:read']
    for (const members of [{ actsFor: someone }, { attributes: { region: 'north' } }]) {
      const answer = await newKey({ permissions, ...members }, maker.client)
      assert.deepEqual(
        [answer.status, answer.body.message],
        [403, 'This requires the permission user:write.'],
      )
    }
    assert.equal((await newKey({ permissions, actsFor: maker.id }, maker.client)).status, 201)
    const unknown = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
    assert.equal((await newKey({ actsFor: unknown })).status, 400)
    assert.equal((await newKey({ actsFor: someone, attributes: { region: 'north' } })).status, 400)
    const { body: boss } = await tenant.admin.get('/api/users/by-username/boss')
    await tenant.admin.post('/api/roles', {
      name: 'Deputy',
      permissions: ['apiKey:read', 'apiKey:write', 'user:read', 'user:write', 'parcel:read'],
    })
    const deputy = await make({ roles: ['Deputy'] })
    assert.equal((await newKey({ permissions, actsFor: boss.id }, deputy.client)).status, 403)
  })
})
