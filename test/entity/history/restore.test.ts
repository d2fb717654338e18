/** Restoring versions of a row: whole, some members, under the rights and the constraints of now. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventsOf } from '../../support/orders.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { made, newPaper, paperFeatures, pathOfPaper } from './papers.ts'

onEitherDatabase('A restored version', (database) => {
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
  const restore = (
    row: { id: string },
    version: number,
    {
      fields,
      headers = {},
      caller = user,
    }: { fields?: string[]; headers?: Record<string, string>; caller?: Client } = {},
  ) =>
    caller.post(
      `${pathOfPaper(row)}/history/${version}/restore`,
      fields === undefined ? undefined : { fields },
      headers,
    )

  it('gives a row its former values, and keeps what callers do not write', async () => {
    const name = title()
    const row = await newPaper(user, { title: name, body: 'first', lines: [{ label: 'a', amount: 3 }] })
    await made(user.patch(pathOfPaper(row), { title: title(), body: 'second', lines: [] }))
    await made(user.post(`${pathOfPaper(row)}/price`, { cost: 50 }))
    await made(user.post(`${pathOfPaper(row)}/send`))
    const answer = await restore(row, 1)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.get('etag') ?? '', /^"v5\./)
    const { updatedAt, ...restored } = answer.body
    const { updatedAt: _first, ...first } = row
    assert.deepEqual(restored, { ...first, cost: 50, state: 'sent' })
    assert.deepEqual((await user.get(pathOfPaper(row))).body, answer.body)
    const [entry] = (await user.get(`${pathOfPaper(row)}/history`)).body
    assert.deepEqual(
      [entry.action, entry.restoredFrom, entry.at, Object.keys(entry.changes)],
      ['restored', 1, updatedAt, ['title', 'body', 'length', 'lines']],
    )
  })

  it('is an ordinary change: hooks, event, audit', async () => {
    const row = await newPaper(user, { title: 'refused' })
    await made(user.patch(pathOfPaper(row), { title: title() }))
    assert.equal((await restore(row, 1)).status, 500)
    const other = await newPaper(user, { title: title(), body: 'first' })
    await made(user.patch(pathOfPaper(other), { body: 'second' }))
    const known = (await eventsOf(service, tenant.id)).length
    await made(restore(other, 1))
    const events = (await eventsOf(service, tenant.id)).slice(known)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['paper.updated'],
    )
    const [record] = (await made(admin.get(`/api/audit?subjectId=${other.id}`))) as [
      { action: string; detail: object },
    ]
    assert.deepEqual(
      [record.action, record.detail],
      [
        'paper.updated',
        {
          restoredFrom: 1,
          body: { before: 'second', after: 'first' },
          length: { before: 6, after: 5 },
        },
      ],
    )
  })

  it('restores the members that are named, exactly', async () => {
    const body = `${'ß𝒳\n'.repeat(2500)}end`
    const row = await newPaper(user, { title: title(), body, lines: [{ label: 'a' }] })
    const changed = await made(user.patch(pathOfPaper(row), { title: title(), body: null, lines: [] }))
    const restored = await made(restore(row, 1, { fields: ['body'] }))
    assert.deepEqual([restored.title, restored.body, restored.lines], [changed.title, body, []])
    for (const [field, message] of [
      ['nothing', /^fields: /],
      ['length', 'fields: length keeps its present value'],
      ['state', 'fields: state keeps its present value'],
      ['number', 'fields: number keeps its present value'],
      ['cost', 'fields: cost keeps its present value'],
      ['origin', 'fields: origin keeps its present value'],
    ] as const)
      assertError(await restore(row, 1, { fields: [field] }), 400, message)
  })

  it('leaves members that the caller does not read, and refuses them by name', async () => {
    const row = await newPaper(admin, { title: title(), secret: 'first', body: 'first' })
    await made(admin.patch(pathOfPaper(row), { secret: 'second', body: 'second' }))
    const restored = await restore(row, 1)
    assert.deepEqual([restored.status, 'secret' in restored.body, restored.body.body], [200, false, 'first'])
    assert.equal((await admin.get(pathOfPaper(row))).body.secret, 'second')
    assertError(await restore(row, 1, { fields: ['secret'] }), 403, /paper:secret/)
    assert.equal((await made(restore(row, 1, { fields: ['secret'], caller: admin }))).secret, 'first')
  })

  it('takes the precondition of a change', async () => {
    const row = await newPaper(user, { title: title(), body: 'first' })
    await made(user.patch(pathOfPaper(row), { body: 'second' }))
    assertError(await restore(row, 1, { headers: { 'if-match': '"v1"' } }), 412)
    assert.equal((await user.get(pathOfPaper(row))).body.body, 'second')
    assert.equal((await restore(row, 1, { headers: { 'if-match': '"v2"' } })).status, 200)
  })

  it('is refused with the member whose value is not allowed any more', async () => {
    const name = title()
    const { id: shelfId } = await made(user.post('/api/shelves', { name: 'top' }))
    const row = await newPaper(user, { title: name, shelfId })
    await made(user.patch(pathOfPaper(row), { title: title(), shelfId: null }))
    assert.equal((await user.delete(`/api/shelves/${shelfId}`)).status, 204)
    assertError(await restore(row, 1), 400, 'shelfId: names no shelf')
    await newPaper(user, { title: name.toUpperCase() })
    assertError(await restore(row, 1, { fields: ['title'] }), 400, 'title: is taken by another paper')
  })

  it('does not ask again what stays: it may name a user who is gone', async () => {
    const { id } = await made(admin.post('/api/users', person('brief')))
    const row = await newPaper(user, { title: title(), authorId: id, body: 'first' })
    await made(user.patch(pathOfPaper(row), { body: 'second' }))
    assert.equal((await admin.delete(`/api/users/${id}`)).status, 204)
    assert.equal((await made(restore(row, 1))).body, 'first')
    await made(user.patch(pathOfPaper(row), { authorId: null }))
    assertError(await restore(row, 1), 400, 'authorId: names no user')
  })

  it('forgets a user who is gone where rows do', async () => {
    const { id } = await made(admin.post('/api/users', person('editor')))
    const row = await newPaper(user, { title: title(), editorId: id, body: 'first' })
    await made(user.patch(pathOfPaper(row), { body: 'second' }))
    assert.equal((await admin.delete(`/api/users/${id}`)).status, 204)
    const restored = await made(restore(row, 1))
    assert.deepEqual([restored.editorId, restored.body], [null, 'first'])
  })

  it('answers a repeated request once', async () => {
    const row = await newPaper(user, { title: title(), body: 'first' })
    await made(user.patch(pathOfPaper(row), { body: 'second' }))
    const headers = { 'idempotency-key': uniqueName('key') }
    const first = await made(restore(row, 1, { headers }))
    assert.deepEqual(await made(restore(row, 1, { headers })), first)
    assert.match((await user.get(pathOfPaper(row))).headers.get('etag') ?? '', /^"v3\./)
  })

  it('takes the right to change', async () => {
    const row = await newPaper(user, { title: title() })
    await made(admin.post('/api/roles', { name: 'Reader', permissions: ['paper:read'] }))
    await made(admin.post('/api/users', person('reader', { roles: ['Reader'] })))
    const { client: reader } = await service.signIn('reader', tenant.id)
    assert.equal((await reader.get(`${pathOfPaper(row)}/history`)).status, 200)
    assert.equal((await restore(row, 1, { caller: reader })).status, 403)
  })
})
