import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('Whose users an administrator reaches', (database) => {
  let service: IdentityService
  let own: TestTenant
  let other: TestTenant
  /** A user of the other tenant. */
  let foreignId: string
  before(async () => {
    service = await sharedIdentityService(database)
    own = await service.newTenant()
    other = await service.newTenant()
    foreignId = (await other.user.get('/api/auth/me')).body.id
  })
  after(() => service.stop())

  it('is everybody for the host: list, read, by name, create, change, delete', async () => {
    const tenantIds = new Set<string>()
    for (let path = '/api/users?limit=200'; path !== ''; ) {
      const { headers, body } = await service.host.get(path)
      for (const { tenantId } of body) tenantIds.add(tenantId)
      path = nextIn(headers)
    }
    assert.ok(['default', own.id, other.id].every((id) => tenantIds.has(id)))
    const listed = await service.host.get(`/api/users?tenantId=${other.id.toUpperCase()}`)
    assert.deepEqual(userNamesIn(listed), ['boss', 'worker'])
    assert.equal((await service.host.get(`/api/users/${foreignId}`)).body.tenantId, other.id)
    const byName = await service.host.get(`/api/users/by-username/worker?tenantId=${other.id}`)
    assert.equal(byName.body.id, foreignId)
    assert.equal((await service.host.get('/api/users/by-username/worker')).status, 404)
    const made = await service.host.post('/api/users', person('guest', { tenantId: other.id.toUpperCase() }))
    assert.equal(made.status, 201)
    assert.equal(made.body.tenantId, other.id)
    assert.ok((await service.signIn('guest', other.id)).accessToken)
    const path = `/api/users/${made.body.id}`
    assert.equal((await service.host.put(path, { firstName: 'Guest' })).body.firstName, 'Guest')
    assert.equal((await service.host.delete(path)).status, 204)
  })

  it('finds users of the tenant by parts of their names and addresses, each word in any of them', async () => {
    const { admin } = await service.newTenant()
    const userName = uniqueName('zed')
    await admin.post('/api/users', person(userName, { firstName: 'Élodie', lastName: 'Quill' }))
    await other.admin.post('/api/users', person(uniqueName('zed'), { lastName: 'Quill' }))
    const found = async (words: string) =>
      userNamesIn(await admin.get(`/api/users?search=${encodeURIComponent(words)}`))
    assert.deepEqual(await found('quil ÉLO'), [userName])
    assert.deepEqual(await found(`${userName}@ quill`), [userName])
    assert.deepEqual(await found('quill boss'), [])
  })

  it('is everybody for the host in a filtered and sorted list, and one tenant in that of a tenant', async () => {
    const ids = [foreignId, (await own.user.get('/api/auth/me')).body.id]
    const query = `id[in]=${ids.join()}&count=true&fields=tenantId`
    const list = (by: Client, sort: string) => by.get(`/api/users?${query}&sort=${sort}`)
    const found = await list(service.host, 'userName,-createdAt')
    assert.deepEqual(found.body, [{ tenantId: other.id }, { tenantId: own.id }])
    assert.equal(found.headers.get('x-total-count'), '2')
    const first = await list(service.host, 'createdAt&limit=1')
    assert.deepEqual(first.body, [{ tenantId: own.id }])
    assert.deepEqual((await service.host.get(nextIn(first.headers))).body, [{ tenantId: other.id }])
    const ofOther = await list(service.host, `userName&tenantId=${other.id}`)
    assert.deepEqual(ofOther.body, [{ tenantId: other.id }])
    assert.equal(ofOther.headers.get('x-total-count'), '1')
    assert.deepEqual((await list(own.admin, 'userName')).body, [{ tenantId: own.id }])
    assert.equal((await list(own.admin, `userName&tenantId=${other.id}`)).status, 403)
  })

  it('is the own tenant in GraphQL, for the host as well', async () => {
    const document = `{ users { nodes { tenantId } } user(id: "${foreignId}") { id } }`
    for (const [by, tenantId] of [
      [service.host, 'default'],
      [own.admin, own.id],
    ] as const) {
      const { data } = (await by.post('/graphql', { query: document })).body
      assert.ok(data.users.nodes.length > 0)
      assert.deepEqual(
        new Set(data.users.nodes.map((node: { tenantId: string }) => node.tenantId)),
        new Set([tenantId]),
      )
      assert.equal(data.user, null)
    }
  })

  it('pages through the users of one tenant alone', async () => {
    const first = await service.host.get(`/api/users?tenantId=${other.id}&limit=1`)
    assert.deepEqual(userNamesIn(first), ['boss'])
    assert.deepEqual(userNamesIn(await service.host.get(nextIn(first.headers))), ['worker'])
  })

  it('names a tenant that does not exist with 400', async () => {
    for (const tenantId of ['nobody', 'x'.repeat(65), '']) {
      const made = await service.host.post('/api/users', person(uniqueName('user'), { tenantId }))
      assert.equal(made.status, 400, tenantId)
      assert.match(made.body.message, /tenantId/)
      if (tenantId === '') continue
      assert.equal((await service.host.get(`/api/users?tenantId=${tenantId}`)).status, 400, tenantId)
    }
  })

  it('is the own tenant for any other administrator', async () => {
    assert.deepEqual(userNamesIn(await own.admin.get('/api/users')), ['boss', 'worker'])
    assert.deepEqual(userNamesIn(await own.admin.get(`/api/users?tenantId=${own.id}`)), ['boss', 'worker'])
    const made = await own.admin.post('/api/users', person(uniqueName('user'), { tenantId: own.id }))
    assert.equal(made.status, 201)
  })

  it('answers 403 to whoever names another tenant, existing or not', async () => {
    const bodies: Answer[] = []
    for (const tenantId of [other.id, 'default', 'nobody']) {
      const input = person(uniqueName('user'), { tenantId })
      bodies.push(
        await own.admin.get(`/api/users?tenantId=${tenantId}`),
        await own.admin.get(`/api/users/by-username/worker?tenantId=${tenantId}`),
        await own.admin.post('/api/users', input),
      )
    }
    assert.deepEqual(new Set(bodies.map(({ status }) => status)), new Set([403]))
    assert.equal(new Set(bodies.map(({ text }) => text)).size, 1)
  })

  it('answers for another tenant’s user as for one that does not exist', async () => {
    const earlier = await other.admin.get(`/api/users/${foreignId}`)
    const missing = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
    const calls: ((client: Client, id: string) => Promise<Answer>)[] = [
      (client, id) => client.get(`/api/users/${id}`),
      (client, id) => client.put(`/api/users/${id}`, { password: 'Stolen@123', roles: ['Admin'] }),
      (client, id) => client.delete(`/api/users/${id}`),
    ]
    for (const call of calls) {
      const [foreign, absent] = [await call(own.admin, foreignId), await call(own.admin, missing)]
      assert.equal(foreign.status, 404)
      assert.equal(foreign.text, absent.text)
    }
    assert.equal((await other.admin.get(`/api/users/${foreignId}`)).text, earlier.text)
    assert.equal((await other.user.get('/api/auth/me')).status, 200)
  })

  it('is nobody for a user without the role', async () => {
    const me = (await own.user.get('/api/auth/me')).body.id
    const answers = [
      await own.user.get('/api/users'),
      await own.user.get(`/api/users/${me}`),
      await own.user.put(`/api/users/${me}`, { roles: ['Admin'] }),
      await own.user.post('/api/users', person(uniqueName('user'))),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403, 403],
    )
  })

  it('includes users of a deactivated tenant for the host, so that they can be put in order', async () => {
    const closed = await service.newTenant()
    await service.host.delete(`/api/tenants/${closed.id}`)
    assert.deepEqual(userNamesIn(await service.host.get(`/api/users?tenantId=${closed.id}`)), [
      'boss',
      'worker',
    ])
  })
})

/** @returns the path of the next page; empty after the last one */
function nextIn(headers: Headers): string {
  return /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
}

function userNamesIn({ body }: Answer): string[] {
  return body.map(({ userName }: { userName: string }) => userName)
}
