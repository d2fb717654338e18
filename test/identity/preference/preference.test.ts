/** What clients keep for their users. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
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

onEitherDatabase('Preferences', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
  })
  after(() => service.stop())

  const newUser = async (): Promise<{ id: string; client: Client }> => {
    const { body } = await tenant.admin.post('/api/users', person(uniqueName('user')))
    return { id: body.id, client: (await service.signIn(body.userName, tenant.id, password)).client }
  }

  before(async () => {
    tenant = await service.newTenant()
  })

  it('are set, listed by name and deleted by their user, whom alone they concern', async () => {
    const [one, other] = [(await newUser()).client, (await newUser()).client]
    const columns = [{ name: 'subject', width: 240 }, { name: 'état' }]
    for (const [name, value] of [
      ['density', 'compact'],
      ['columns.ticket', columns],
      ['singleKeys', false],
      ['nothing', null],
    ] as const) {
      const set = await one.put(`/api/preferences/${name}`, { value })
      assert.equal(set.status, 200, set.text)
      assert.deepEqual(set.body, { name, value, updatedAt: set.body.updatedAt })
    }
    const listed = (await one.get('/api/preferences')).body
    assert.deepEqual(
      listed.map((each: { name: string; value: unknown }) => [each.name, each.value]),
      [
        ['columns.ticket', columns],
        ['density', 'compact'],
        ['nothing', null],
        ['singleKeys', false],
      ],
    )
    assert.deepEqual((await other.get('/api/preferences')).body, [])
    assertError(await other.delete('/api/preferences/density'), 404, /no such preference/)
    assert.equal((await one.delete('/api/preferences/density')).status, 204)
    assertError(await one.delete('/api/preferences/density'), 404, /no such preference/)
    assert.equal((await one.get('/api/preferences')).body.length, 3)
  })

  it('change only as their tag says', async () => {
    const { client } = await newUser()
    const path = '/api/preferences/density'
    const first = await client.put(path, { value: 1 }, { 'if-none-match': '*' })
    assert.equal(first.status, 200, first.text)
    assertError(await client.put(path, { value: 2 }, { 'if-none-match': '*' }), 412, /has changed/)
    const tag = first.headers.get('etag') ?? ''
    const second = await client.put(path, { value: 2 }, { 'if-match': tag })
    assert.notEqual(second.headers.get('etag'), tag)
    assertError(await client.put(path, { value: 3 }, { 'if-match': tag }), 412, /has changed/)
    assertError(await client.delete(path, { 'if-match': tag }), 412, /has changed/)
    assertError(
      await client.put('/api/preferences/other', { value: 3 }, { 'if-match': '*' }),
      412,
      /has changed/,
    )
    assert.equal((await client.get('/api/preferences')).body[0].value, 2)
    assert.equal((await client.delete(path, { 'if-match': second.headers.get('etag') ?? '' })).status, 204)
  })

  it('have names of one form, 8 kB each, and are at most a hundred', async () => {
    const { client } = await newUser()
    for (const name of ['Density', '1st', 'a_b', 'a'.repeat(65), 'a b', 'é', '-'])
      assertError(
        await client.put(`/api/preferences/${encodeURIComponent(name)}`, { value: 1 }),
        400,
        /name: must begin with a lower-case letter/,
      )
    assertError(await client.put('/api/preferences/a', {}), 400, /value: is required/)
    assert.equal((await client.put('/api/preferences/a', { value: 'x'.repeat(8190) })).status, 200)
    assertError(
      await client.put('/api/preferences/a', { value: 'x'.repeat(8191) }),
      400,
      /value: must not be larger/,
    )
    assertError(
      await client.put('/api/preferences/a', { value: 'é'.repeat(4096) }),
      400,
      /value: must not be larger/,
    )
    for (let number = 1; number < 100; number++)
      assert.equal((await client.put(`/api/preferences/p${number}`, { value: number })).status, 200)
    assertError(await client.put('/api/preferences/p100', { value: 1 }), 400, /at most 100 preferences/)
    assert.equal((await client.put('/api/preferences/p99', { value: 'changed' })).status, 200)
  })

  it('are those of the user for whom an API key acts; one that acts for nobody is refused with the reason', async () => {
    const user = await newUser()
    await user.client.put('/api/preferences/density', { value: 'compact' })
    const keyFor = async (members: object) => {
      const made = await tenant.admin.post('/api/api-keys', { name: 'Import', permissions: [], ...members })
      return service.anonymous.withToken(made.body.key)
    }
    const acting = await keyFor({ actsFor: user.id })
    assert.equal((await acting.get('/api/preferences')).body[0].value, 'compact')
    const nobody = await keyFor({})
    assertError(await nobody.get('/api/preferences'), 403, /belong to a user, and this API key acts for none/)
    assertError(await nobody.put('/api/preferences/a', { value: 1 }), 403, /acts for none/)
    assertError(await nobody.delete('/api/preferences/a'), 403, /acts for none/)
    assertError(await service.anonymous.get('/api/preferences'), 401, /bearer token is required/)
  })

  it('are read while an administrator of the host acts as the user, and not changed', async () => {
    const user = await newUser()
    await user.client.put('/api/preferences/density', { value: 'compact' })
    const acting = await service.host.post(`/api/users/${user.id}/impersonate`, { reason: 'Ticket 4711' })
    const client = service.anonymous.withToken(acting.body.accessToken)
    assert.equal((await client.get('/api/preferences')).body[0].value, 'compact')
    for (const answer of [
      await client.put('/api/preferences/density', { value: 'cozy' }),
      await client.delete('/api/preferences/density'),
    ])
      assertError(answer, 403, /not possible while you act as another user/)
  })

  it('go with their user', async () => {
    const user = await newUser()
    await user.client.put('/api/preferences/density', { value: 'compact' })
    const { catalogueDatabase } = (await service.service.operator()).shared
    const marker = database === 'sqlite' ? '?' : '$1'
    const count = async () =>
      (
        await catalogueDatabase.executor.run(
          `SELECT name FROM preference WHERE account_id = ${marker}`,
          [user.id],
          false,
        )
      ).rows.length
    assert.equal(await count(), 1)
    assert.equal((await tenant.admin.delete(`/api/users/${user.id}`)).status, 204)
    assert.equal(await count(), 0)
  })

  it('are not kept for a user who is removed while the request is on its way', async () => {
    const user = await newUser()
    const body = JSON.stringify({ value: 'late' })
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    }
    const sent = request(`${service.url}/api/preferences/late`, {
      method: 'PUT',
      headers: { ...user.client.headers, ...headers },
    })
    sent.flushHeaders()
    await once(sent, 'continue') // it is admitted
    assert.equal((await tenant.admin.delete(`/api/users/${user.id}`)).status, 204)
    sent.end(body)
    const [reply] = await once(sent, 'response')
    reply.resume()
    assert.equal(reply.statusCode, 404)
  })
})
