/** Deleted rows: listed, restored with everything they had, and gone after their days. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventsOf } from '../../support/orders.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { made, newPaper, paperFeatures, pathOfPaper } from './papers.ts'

onEachDatabase('The trash', (database) => {
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

  type Row = { id: string }
  const title = () => uniqueName('paper')
  const remove = async (row: Row, caller = user) =>
    assert.equal((await caller.delete(pathOfPaper(row))).status, 204)
  const restore = (row: Row, caller = user) => caller.post(`${pathOfPaper(row)}/restore`)
  const trashOf = async (caller: Client, query = '') => made(caller.get(`/api/papers/trash${query}`))

  it('has a deleted row whole, with who deleted it and when', async () => {
    const row = await newPaper(user, { title: title(), body: 'x'.repeat(10_000), lines: [{ label: 'a' }] })
    await made(user.patch(pathOfPaper(row), { lines: [{ label: 'b', amount: 2 }] }))
    const { body: last } = await user.get(pathOfPaper(row))
    await remove(row)
    assertError(await user.get(pathOfPaper(row)), 404, 'There is no such paper.')
    assertError(await user.delete(pathOfPaper(row)), 404)
    const [entry] = await trashOf(user)
    const { deletedAt, actorId, ...rest } = entry
    assert.ok(deletedAt >= last.updatedAt && actorId !== null)
    assert.deepEqual(rest, {
      id: row.id,
      actorName: 'worker',
      impersonatorId: null,
      impersonatorName: null,
      version: 2,
      row: last,
    })
  })

  it('answers a repeated request to give rows back as the first one', async () => {
    const rows = [await newPaper(user, { title: title() }), await newPaper(user, { title: title() })]
    for (const row of rows) await remove(row)
    const [first, second] = rows.map(({ id }) => id)
    const twice = async (path: string, body: object) => {
      const headers = { 'idempotency-key': uniqueName('key') }
      const answers = [await user.post(path, body, headers), await user.post(path, body, headers)]
      return answers.map((answer) => answer.body)
    }
    const [restored, again] = await twice(`/api/papers/${first}/restore`, {})
    assert.deepEqual([restored.id, again], [first, restored])
    const [done, repeated] = await twice('/api/papers/bulk', { ids: [second], do: 'restore' })
    assert.deepEqual([done.done, repeated], [1, done])
    assertError(await restore({ id: String(first) }), 404)
  })

  it('gives it back with its id, its lists, its number and what callers do not write', async () => {
    const row = await newPaper(user, { title: title(), origin: 'there', lines: [{ label: 'a', amount: 5 }] })
    await made(user.post(`${pathOfPaper(row)}/price`, { cost: 70 }))
    await made(user.post(`${pathOfPaper(row)}/send`))
    const { body: last } = await user.get(pathOfPaper(row))
    await remove(row)
    const known = (await eventsOf(service, tenant.id)).length
    const restored = await restore(row)
    assert.equal(restored.status, 200, restored.text)
    assert.match(restored.headers.get('etag') ?? '', /^"v5\./)
    assert.deepEqual(restored.body, { ...last, updatedAt: restored.body.updatedAt })
    assert.ok(restored.body.updatedAt > last.updatedAt)
    assert.deepEqual((await user.get(pathOfPaper(row))).body, restored.body)
    assert.ok(!(await trashOf(user)).some(({ id }: Row) => id === row.id))
    assertError(await restore(row), 404, 'There is no such paper.')
    const [event, ...more] = (await eventsOf(service, tenant.id)).slice(known)
    assert.deepEqual([event?.type, event?.data['paperId'], more], ['paper.restored', row.id, []])
    const audited = await made(admin.get(`/api/audit?subjectId=${row.id}`))
    assert.deepEqual(
      audited.map(({ action }: { action: string }) => action),
      ['paper.restored', 'paper.deleted', 'paper.sent', 'paper.priced', 'paper.created'],
    )
    const history = await made(user.get(`${pathOfPaper(row)}/history`))
    assert.deepEqual(
      history.map(({ version, action }: { version: number; action: string }) => [version, action]),
      [
        [5, 'restored'],
        [4, 'deleted'],
        [3, 'send'],
        [2, 'price'],
        [1, 'created'],
      ],
    )
    assertError(await user.get(`${pathOfPaper(row)}/history/4`), 404, 'There is no such version.')
  })

  it('gives it back again and again, and changes of it have versions', async () => {
    const row = await newPaper(user, { title: title() })
    for (const body of ['one', 'two', 'three']) {
      await remove(row)
      await made(restore(row))
      await made(user.patch(pathOfPaper(row), { body }))
    }
    const history = await made(user.get(`${pathOfPaper(row)}/history`))
    assert.deepEqual(
      history.map(({ action }: { action: string }) => action),
      [...Array.from({ length: 3 }, () => ['updated', 'restored', 'deleted']).flat(), 'created'],
    )
    const first = history.find(({ action }: { action: string }) => action === 'updated')
    assert.deepEqual(first.changes.body, { before: 'two', after: 'three' })
  })

  it('is read and restored by version while the row is deleted', async () => {
    const row = await newPaper(user, { title: title(), body: 'first', lines: [{ label: 'a' }] })
    await made(user.patch(pathOfPaper(row), { body: 'second', lines: [] }))
    await made(user.post(`${pathOfPaper(row)}/send`))
    await remove(row)
    const [deleted] = await made(user.get(`${pathOfPaper(row)}/history`))
    assert.deepEqual([deleted.version, deleted.action, deleted.actorName], [4, 'deleted', 'worker'])
    assert.equal((await user.get(`${pathOfPaper(row)}/history/1`)).body.body, 'first')
    const path = `${pathOfPaper(row)}/history/1/restore`
    assertError(await user.post(path, { fields: ['body'] }), 400, /^fields: a deleted row/)
    assertError(await user.post(path, {}, { 'if-match': '"v3"' }), 412)
    const restored = await made(user.post(path))
    assert.deepEqual(
      [restored.body, restored.lines, restored.state, restored.number, restored.createdAt],
      ['first', [{ label: 'a', amount: 1 }], 'sent', row.number, row.createdAt],
    )
    const [entry] = await made(user.get(`${pathOfPaper(row)}/history`))
    assert.deepEqual([entry.version, entry.action, entry.restoredFrom], [5, 'restored', 1])
  })

  it('refuses a row whose unique value was taken, or whose reference is gone, with the member', async () => {
    const name = title()
    const row = await newPaper(user, { title: name })
    await remove(row)
    const other = await newPaper(user, { title: name.toUpperCase() })
    assertError(await restore(row), 400, 'title: is taken by another paper')
    await remove(other)
    assert.equal((await restore(row)).status, 200)
    const { id: shelfId } = await made(user.post('/api/shelves', { name: 'top' }))
    const placed = await newPaper(user, { title: title(), shelfId })
    await remove(placed)
    assert.equal((await user.delete(`/api/shelves/${shelfId}`)).status, 204)
    assertError(await restore(placed), 400, 'shelfId: names no shelf')
    assert.ok((await trashOf(user)).some(({ id }: Row) => id === placed.id))
  })

  it('forgets users who are gone where rows do, and keeps their ids elsewhere', async () => {
    const { id } = await made(admin.post('/api/users', person('leaver')))
    const row = await newPaper(user, { title: title(), editorId: id, authorId: id })
    await remove(row)
    assert.equal((await admin.delete(`/api/users/${id}`)).status, 204)
    const restored = await made(restore(row))
    assert.deepEqual([restored.editorId, restored.authorId], [null, id])
  })

  it('comes in pages, the last deleted first, of one tenant', async () => {
    const own = await service.newTenant()
    const rows: Row[] = []
    for (let turn = 0; turn < 5; turn++) rows.push(await newPaper(own.user, { title: title() }))
    for (const row of rows) await remove(row, own.user)
    const seen: string[] = []
    for (let path: string | undefined = '/api/papers/trash?limit=2&count=true'; path !== undefined; ) {
      const page: Answer = await own.user.get(path)
      assert.deepEqual([page.status, page.headers.get('x-total-count')], [200, '5'], page.text)
      seen.push(...page.body.map(({ id }: Row) => id))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(seen, rows.map(({ id }) => id).toReversed())
    assertError(await own.user.get('/api/papers/trash?cursor=x'), 400)
    assertError(await user.post(`${pathOfPaper({ id: seen[0] ?? '' })}/restore`), 404)
    assert.ok(!(await trashOf(user)).some(({ id }: Row) => seen.includes(id)))
  })

  it('hides members as the row does, restores them, and is closed to strangers', async () => {
    const row = await newPaper(admin, { title: title(), secret: 'hidden here' })
    await remove(row, admin)
    const read = await user.get('/api/papers/trash?limit=1')
    assert.deepEqual([read.body[0].id, 'secret' in read.body[0].row], [row.id, false])
    assert.doesNotMatch(
      (await user.get('/api/papers/trash?limit=1&fields=row')).text,
      /hidden here|"version"/,
    )
    assert.equal((await trashOf(admin, '?limit=1'))[0].row.secret, 'hidden here')
    assert.equal('secret' in (await made(restore(row))), false)
    assert.equal((await admin.get(pathOfPaper(row))).body.secret, 'hidden here')
    const header = { 'x-tenant-id': tenant.id }
    assert.equal((await service.anonymous.get('/api/papers', header)).status, 200)
    assertError(await service.anonymous.get('/api/papers/trash', header), 401)
  })

  it('gives many back in one request, and says of each that stays why', async () => {
    const rows = [
      await newPaper(user, { title: title() }),
      await newPaper(user, { title: title(), body: 'b' }),
    ]
    const taken = await newPaper(user, { title: title() })
    const ids = [...rows, taken].map(({ id }: Row) => id)
    const bulk = (body: object, caller = user) => caller.post('/api/papers/bulk', { do: 'restore', ...body })
    assert.equal((await made(user.post('/api/papers/bulk', { ids, do: 'delete' }))).done, 3)
    await newPaper(user, { title: taken.title })
    const stranger = (await service.newTenant()).user
    assert.equal((await made(bulk({ ids }, stranger))).done, 0)
    const known = (await eventsOf(service, tenant.id)).length
    const { rows: reports, ...counts } = await made(bulk({ ids }))
    assert.deepEqual(counts, { done: 2, failed: 1, remaining: 0 })
    assert.match(reports[1].etag, /^"v3\./)
    assert.deepEqual([reports[2].error.status, reports[2].error.code], [400, 'invalid'])
    for (const row of rows) assert.equal((await made(user.get(pathOfPaper(row)))).body, row.body)
    const told = (await eventsOf(service, tenant.id)).slice(known)
    assert.deepEqual(told.map(({ data }) => data['paperId']).sort(), ids.slice(0, 2).sort())
    assert.ok(told.every(({ type }) => type === 'paper.restored'))
    const repeated = await made(bulk({ ids }))
    assert.deepEqual(
      repeated.rows.map(({ error }: { error: { status: number } }) => error.status),
      [404, 404, 400],
    )
    assertError(await bulk({ query: {}, count: 0 }), 400, /^query: /)
    assertError(await bulk({ ids, versions: { [taken.id]: '"1"' } }), 400, /^versions: /)
    assertError(await bulk({ ids, input: { body: 'c' } }), 400, /^input: /)
    assertError(await user.post('/api/memos/bulk', { ids, do: 'restore' }), 400, /^do: /)
  })

  it('takes the right to create', async () => {
    await made(admin.post('/api/roles', { name: 'Reader', permissions: ['paper:read'] }))
    await made(admin.post('/api/users', person('reader', { roles: ['Reader'] })))
    const { client: reader } = await service.signIn('reader', tenant.id)
    const row = await newPaper(user, { title: title() })
    await remove(row)
    assert.equal((await trashOf(reader, '?limit=1'))[0].id, row.id)
    assert.equal((await restore(row, reader)).status, 403)
    const bulk = await reader.post('/api/papers/bulk', { ids: [row.id], do: 'restore' })
    assert.equal(bulk.status, 403)
  })

  it('of products and categories leaves what it was: gone, and its name free', async () => {
    const name = uniqueName('category')
    const category = await made(user.post('/api/categories', { name }))
    const product = await made(
      user.post('/api/products', { name: 'Desk', price: 1.5, categoryId: category.id }),
    )
    assertError(await user.delete(`/api/categories/${category.id}`), 400, /in use/)
    assert.equal((await user.delete(`/api/products/${product.id}`)).status, 204)
    assert.equal((await user.delete(`/api/categories/${category.id}`)).status, 204)
    assertError(await user.get(`/api/products/${product.id}`), 404)
    const again = await made(user.post('/api/categories', { name }))
    assertError(
      await user.post(`/api/categories/${category.id}/restore`),
      400,
      'name: is taken by another category',
    )
    assertError(await user.post(`/api/products/${product.id}/restore`), 400, 'categoryId: names no category')
    assert.equal((await user.delete(`/api/categories/${again.id}`)).status, 204)
    await made(user.post(`/api/categories/${category.id}/restore`))
    const restored = await made(user.post(`/api/products/${product.id}/restore`))
    assert.deepEqual(restored, { ...product, updatedAt: restored.updatedAt })
  })
})
