/** The history of a row: who changed what, each version whole, and what callers get of it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { made, newPaper, paperFeatures, pathOfPaper } from './papers.ts'

onEachDatabase('The history of a row', (database) => {
  let service: TestService
  let tenant: TestTenant
  let admin: Client
  let user: Client
  before(async () => {
    service = await startService(database, {}, { features: paperFeatures })
    tenant = await service.newTenant()
    ;({ admin, user } = tenant)
  })
  after(() => service.stop())

  const title = () => uniqueName('paper')
  const historyOf = async (row: { id: string }, query = '', caller = user) =>
    made(caller.get(`${pathOfPaper(row)}/history${query}`))

  const pagesOf = async (first: string, total: string | null = null) => {
    const pages: { version: number; action: string }[][] = []
    for (let path: string | undefined = first; path !== undefined; ) {
      const page = await user.get(path)
      assert.equal(page.status, 200, page.text)
      assert.equal(page.headers.get('x-total-count'), total)
      pages.push(page.body)
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    return pages
  }

  it('has each version with who made it, when, by what, and what it changed', async () => {
    const name = title()
    const row = await newPaper(user, { title: name, lines: [{ label: 'a' }] })
    await made(user.patch(pathOfPaper(row), { body: 'text', lines: [{ label: 'b', amount: 2 }] }))
    const last = await made(admin.post(`${pathOfPaper(row)}/send`))
    const [sent, changed, created, ...more] = await historyOf(row)
    const { id: userId } = (await user.get('/api/auth/me')).body
    assert.deepEqual(more, [])
    assert.deepEqual(
      { ...sent, actorId: null },
      {
        version: 3,
        at: last.updatedAt,
        action: 'send',
        actorId: null,
        actorName: 'boss',
        impersonatorId: null,
        impersonatorName: null,
        restoredFrom: null,
        changes: { state: { before: 'draft', after: 'sent' } },
      },
    )
    assert.deepEqual([changed.action, changed.actorId, changed.actorName], ['updated', userId, 'worker'])
    assert.deepEqual(changed.changes, {
      body: { before: null, after: 'text' },
      length: { before: 0, after: 4 },
      lines: { before: [{ label: 'a', amount: 1 }], after: [{ label: 'b', amount: 2 }] },
    })
    assert.deepEqual(
      [created.version, created.action, created.at, created.actorId, created.changes],
      [1, 'created', row.createdAt, null, {}],
    )
  })

  it('has 10 000 characters exactly, and each version whole', async () => {
    const body = `begin 𝒳 "quoted"\n${'ä'.repeat(10_000)} end`
    const row = await newPaper(user, { title: title(), body, lines: [{ label: 'first', amount: 7 }] })
    await made(user.patch(pathOfPaper(row), { body: 'short', lines: [] }))
    assert.deepEqual(await made(user.get(`${pathOfPaper(row)}/history/1`)), row)
    const [{ changes }] = await historyOf(row)
    assert.equal(changes.body.before, body)
    assert.deepEqual((await user.get(`${pathOfPaper(row)}/history/2`)).body.body, 'short')
  })

  it('comes in pages, with a count and chosen members', async () => {
    const row = await newPaper(user, { title: title() })
    for (let turn = 2; turn <= 6; turn++) await made(user.patch(pathOfPaper(row), { body: `turn ${turn}` }))
    const pages = await pagesOf(`${pathOfPaper(row)}/history?limit=2&fields=version,action&count=true`, '6')
    assert.deepEqual(Object.keys(pages[0]?.[0] ?? {}), ['version', 'action'])
    assert.deepEqual(
      pages.map((page) => page.map(({ version }) => version)),
      [
        [6, 5],
        [4, 3],
        [2, 1],
      ],
    )
    assert.equal((await historyOf(row, '?limit=2'))[1].changes.body.before, 'turn 4')
    assertError(await user.get(`${pathOfPaper(row)}/history?cursor=x`), 400)
  })

  it('holds a page of long versions to some megabytes, and loses none', async () => {
    const row = await newPaper(user, { title: title(), body: 'x'.repeat(100_000) })
    const lines = Array.from({ length: 200 }, (_each, place) => ({ label: `${place}${'y'.repeat(190)}` }))
    for (let turn = 2; turn <= 24; turn++)
      await made(user.patch(pathOfPaper(row), { body: `${turn}${'x'.repeat(90_000)}`, lines }))
    const pages = await pagesOf(`${pathOfPaper(row)}/history?limit=200`)
    assert.ok(pages.length > 1)
    assert.deepEqual(
      pages.flat().map(({ version }) => version),
      Array.from({ length: 24 }, (_each, place) => 24 - place),
    )
    assert.ok(pages.flat().every(({ version, action }) => action === (version === 1 ? 'created' : 'updated')))
  })

  it('names nobody for an author who is gone, and keeps the id', async () => {
    const { id } = await made(admin.post('/api/users', person('guest')))
    const { client: guest } = await service.signIn('guest', tenant.id)
    const row = await newPaper(guest, { title: title() })
    await made(guest.patch(pathOfPaper(row), { body: 'by a guest' }))
    assert.equal((await historyOf(row))[0].actorName, 'guest')
    assert.equal((await admin.delete(`/api/users/${id}`)).status, 204)
    const [entry] = await historyOf(row)
    assert.deepEqual([entry.actorId, entry.actorName], [id, null])
  })

  it('names an administrator of the host who acted as the user', async () => {
    const me = (await user.get('/api/auth/me')).body
    const acting = await made(service.host.post(`/api/users/${me.id}/impersonate`, { reason: 'Help' }))
    const row = await newPaper(user, { title: title() })
    await made(service.anonymous.withToken(acting.accessToken).patch(pathOfPaper(row), { body: 'helped' }))
    const [entry] = await historyOf(row)
    assert.deepEqual([entry.actorName, entry.impersonatorName], ['worker', 'admin'])
  })

  it('hides members as the row does', async () => {
    const row = await newPaper(admin, { title: title(), secret: 'first secret' })
    await made(admin.patch(pathOfPaper(row), { secret: 'second secret', body: 'open' }))
    assert.deepEqual(Object.keys((await historyOf(row))[0].changes), ['body', 'length'])
    const read = await user.get(`${pathOfPaper(row)}/history/1`)
    assert.equal('secret' in read.body, false)
    assert.doesNotMatch(read.text + JSON.stringify(await historyOf(row)), /first secret|second secret/)
    assert.deepEqual((await historyOf(row, '', admin))[0].changes.secret, {
      before: 'first secret',
      after: 'second secret',
    })
    assert.equal((await admin.get(`${pathOfPaper(row)}/history/1`)).body.secret, 'first secret')
  })

  it('has what actions alone change', async () => {
    const row = await newPaper(user, { title: title(), origin: 'there' })
    await made(user.post(`${pathOfPaper(row)}/price`, { cost: 99 }))
    const [entry] = await historyOf(row)
    assert.deepEqual([entry.action, entry.changes], ['price', { cost: { before: 1, after: 99 } }])
  })

  it('is that of one tenant, and of rows that exist', async () => {
    const row = await newPaper(user, { title: title() })
    const stranger = (await service.newTenant()).admin
    for (const path of ['/history', '/history/1'])
      assertError(await stranger.get(`${pathOfPaper(row)}${path}`), 404, 'There is no such paper.')
    assertError(await stranger.post(`${pathOfPaper(row)}/history/1/restore`), 404)
    for (const version of ['2', '0', 'x', '99999999999999999999'])
      assertError(await user.get(`${pathOfPaper(row)}/history/${version}`), 404, 'There is no such version.')
    assertError(await service.anonymous.get(`${pathOfPaper(row)}/history`, { 'x-tenant-id': tenant.id }), 401)
    assert.equal((await user.get(`/api/papers/${row.id.toUpperCase()}/history/1`)).status, 200)
  })

  it('is none for an entity that keeps nothing, and is described', async () => {
    const { id } = await made(user.post('/api/plains', { text: 'x' }))
    assert.equal((await user.get(`/api/plains/${id}/history`)).status, 404)
    const described = new Map<string, { hasHistory: boolean; trashDays: number | null }>(
      (await made(user.get('/api/entities'))).map((each: { name: string }) => [each.name, each]),
    )
    const kept = ['paper', 'memo', 'plain', 'order'].map((name) => {
      const { hasHistory, trashDays } = described.get(name) ?? {}
      return [hasHistory, trashDays]
    })
    assert.deepEqual(kept, [
      [true, 30],
      [true, null],
      [false, null],
      [false, null],
    ])
  })
})
