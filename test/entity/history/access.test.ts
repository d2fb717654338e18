/** Whoever may not read a row or a member does not read it in history and trash, and does not restore it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { newId } from '../../../src/core/id.ts'
import type { Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventsOf } from '../../support/orders.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { userWith } from '../ruled-fields.ts'
import { made, paperFeatures } from './papers.ts'

/** For one page. */
const moreThanAreVisited = 1100

onEachDatabase('Rules of rows and fields', (database) => {
  let service: TestService
  let tenant: TestTenant
  let admin: Client
  let ada: Client
  let bob: Client
  const ids = new Map<Client, string>()

  const callerWith = async (permissions: readonly string[]): Promise<Client> => {
    const { client } = await service.signIn(await userWith(tenant, permissions), tenant.id)
    ids.set(client, (await made(client.get('/api/auth/me'))).id)
    return client
  }
  const idOf = (caller: Client) => ids.get(caller)
  const usual = ['letter', 'reply'].flatMap((name) => [`${name}:read`, `${name}:write`])

  before(async () => {
    service = await startService(database, {}, { features: paperFeatures })
    tenant = await service.newTenant()
    admin = tenant.admin
    ada = await callerWith(usual)
    bob = await callerWith(usual)
  })
  after(() => service.stop())

  type Row = { id: string }
  const pathOf = ({ id }: Row) => `/api/letters/${id}`
  const newLetter = (caller: Client, members: object = {}): Promise<Row> =>
    made(caller.post('/api/letters', { text: 'first', ownerId: idOf(caller), ...members }))
  const changed = async (caller: Client, row: Row, members: object) =>
    made(caller.patch(pathOf(row), members))
  const remove = async (caller: Client, path: string) => assert.equal((await caller.delete(path)).status, 204)
  const idsIn = async (caller: Client, list: string): Promise<string[]> =>
    (await made(caller.get(`/api/${list}/trash?limit=200`))).map(({ id }: Row) => id)

  it('close the history of a row that the caller does not read', async () => {
    const row = await newLetter(ada)
    await changed(ada, row, { text: 'second' })
    assert.equal((await made(ada.get(`${pathOf(row)}/history`))).length, 2)
    for (const path of ['/history', '/history/1', '/history/2', '/history/9'])
      assertError(await bob.get(`${pathOf(row)}${path}`), 404, 'There is no such letter.')
    assertError(await bob.post(`${pathOf(row)}/history/1/restore`), 404, 'There is no such letter.')
    assert.equal((await made(ada.get(pathOf(row)))).text, 'second')
    assert.equal((await made(admin.get(`${pathOf(row)}/history/1`))).text, 'first')
  })

  it('close the times in which the caller would not have read the row', async () => {
    const row = await newLetter(ada)
    await changed(ada, row, { text: 'of ada' })
    await changed(admin, row, { ownerId: idOf(bob) })
    await changed(bob, row, { text: 'of bob' })
    assertError(await ada.get(`${pathOf(row)}/history`), 404)
    const history = await bob.get(`${pathOf(row)}/history`)
    assert.deepEqual(
      history.body.map(({ version, changes }: { version: number; changes: object }) => [version, changes]),
      [
        [4, { text: { before: 'of ada', after: 'of bob' } }],
        [3, {}],
      ],
    )
    assert.equal((await bob.get(`${pathOf(row)}/history/3`)).status, 200)
    for (const version of [1, 2]) {
      assertError(await bob.get(`${pathOf(row)}/history/${version}`), 404, 'There is no such version.')
      assertError(
        await bob.post(`${pathOf(row)}/history/${version}/restore`),
        404,
        'There is no such version.',
      )
    }
    const [latest, moved] = await made(admin.get(`${pathOf(row)}/history`))
    assert.deepEqual(
      [latest.version, moved.changes],
      [4, { ownerId: { before: idOf(ada), after: idOf(bob) } }],
    )
  })

  it('list the deleted rows that the caller would read, and count none for others', async () => {
    const [mine, others] = [await newLetter(ada), await newLetter(bob)]
    await remove(ada, pathOf(mine))
    await remove(bob, pathOf(others))
    const trash = await idsIn(ada, 'letters')
    assert.deepEqual([trash.includes(mine.id), trash.includes(others.id)], [true, false])
    const all = await idsIn(admin, 'letters')
    assert.ok(all.includes(mine.id) && all.includes(others.id))
    assertError(await ada.get('/api/letters/trash?count=true'), 400, /^count: /)
    assert.equal(
      (await admin.get('/api/letters/trash?count=true')).headers.get('x-total-count') !== null,
      true,
    )
    const pages: string[] = []
    for (let path: string | undefined = '/api/letters/trash?limit=1'; path !== undefined; ) {
      const page = await ada.get(path)
      pages.push(...page.body.map(({ id }: Row) => id))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(pages, trash)
  })

  it('tell no place of a row of others in the cursor of the trash', async () => {
    const [mine, others] = [await newLetter(ada, { text: 'below' }), await newLetter(bob)]
    await remove(ada, pathOf(mine))
    await remove(bob, pathOf(others))
    await copyDeleted(others, moreThanAreVisited)
    const cursors: string[] = []
    const found: string[] = []
    for (let path: string | undefined = '/api/letters/trash?limit=5'; path !== undefined; ) {
      const { status, text, body, headers } = await ada.get(path)
      assert.equal(status, 200, text)
      found.push(...body.map(({ id }: Row) => id))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      cursors.push(new URL(path ?? '', service.url).searchParams.get('cursor') ?? '')
    }
    assert.deepEqual([found.includes(mine.id), cursors[0] !== ''], [true, true])
    const texts = cursors.map((each) => Buffer.from(each, 'base64url').toString())
    const [first = ''] = cursors
    const places = texts.filter((each) => /^\d{4}-\d\d-/.test(each))
    assert.ok(places.every((each) => found.includes(each.slice(25))))
    assert.ok(!places.includes(texts[0] ?? ''))
    const forged = `${first.slice(0, -2)}${first.endsWith('AA') ? 'BB' : 'AA'}`
    for (const [list, cursor] of [
      ['letters', forged],
      ['replies', first],
    ] as const)
      assertError(await ada.get(`/api/${list}/trash?cursor=${cursor}`), 400, /^cursor: /)
  })

  it('bound the bytes of rows of others that one page of the trash reads', async () => {
    const [mine, others] = [await newLetter(ada), await newLetter(bob, { text: 'x'.repeat(100_000) })]
    await remove(ada, pathOf(mine))
    await remove(bob, pathOf(others))
    await copyDeleted(others, 50)
    const { body, headers } = await ada.get('/api/letters/trash?limit=1')
    assert.deepEqual(body, [])
    let [, path] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    const found: string[] = []
    while (path !== undefined && !found.includes(mine.id)) {
      const page = await ada.get(path)
      found.push(...page.body.map(({ id }: Row) => id))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    assert.ok(found.includes(mine.id))
  })

  /** Rows of the same owner, deleted at the same time. */
  async function copyDeleted({ id }: Row, count: number): Promise<void> {
    const columns = 'tenant_id, version, superseded_at, action, deleted_at, "row"'
    const copies = Array.from({ length: count }, () => `('${newId()}')`)
    const key = database === 'postgres' ? 'cast(column1 as uuid)' : 'column1'
    await inspect(
      service.config.databaseUrl,
      `INSERT INTO letter_version (row_id, ${columns}) SELECT ${key}, ${columns}
       FROM letter_version, (VALUES ${copies.join()}) AS copy WHERE row_id = '${id}' AND deleted_at IS NOT NULL`,
    )
  }

  it('close a deleted row that the caller would not read', async () => {
    const row = await newLetter(ada)
    await remove(ada, pathOf(row))
    for (const path of ['/restore', '/history/1/restore'])
      assertError(await bob.post(`${pathOf(row)}${path}`), 404, 'There is no such letter.')
    for (const path of ['/history', '/history/1', '/history/2'])
      assertError(await bob.get(`${pathOf(row)}${path}`), 404, 'There is no such letter.')
    const bulk = (caller: Client) => made(caller.post('/api/letters/bulk', { ids: [row.id], do: 'restore' }))
    const [{ error }] = (await bulk(bob)).rows
    assert.deepEqual([error.status, error.detail], [404, 'There is no such letter.'])
    assert.equal((await bulk(ada)).done, 1)
    await remove(ada, pathOf(row))
    assert.equal((await ada.post(`${pathOf(row)}/restore`)).status, 200)
  })

  it('are those of the row that a deleted one belongs to', async () => {
    const owner = await newLetter(ada)
    const row = await made(ada.post('/api/replies', { letterId: owner.id, text: 'yes' }))
    await remove(ada, `/api/replies/${row.id}`)
    assert.deepEqual(
      [await idsIn(bob, 'replies'), (await idsIn(ada, 'replies')).includes(row.id)],
      [[], true],
    )
    assertError(await bob.post(`/api/replies/${row.id}/restore`), 404)
    await changed(admin, owner, { ownerId: idOf(bob) })
    assert.ok(!(await idsIn(ada, 'replies')).includes(row.id))
    assertError(await ada.post(`/api/replies/${row.id}/restore`), 404)
    assert.equal((await bob.post(`/api/replies/${row.id}/restore`)).status, 200)
  })

  it('hide members in every door, and in the events of a return', async () => {
    const reader = await callerWith([...usual, 'letter:secret'])
    const row = await newLetter(reader, { secret: 'hidden-1' })
    await changed(reader, row, { secret: 'hidden-2' })
    await changed(admin, row, { ownerId: idOf(ada) })
    await changed(ada, row, { text: 'third' })
    const answers = [
      await ada.get(`${pathOf(row)}/history`),
      await ada.get(`${pathOf(row)}/history/3`),
      await ada.post(`${pathOf(row)}/history/3/restore`),
    ]
    await remove(ada, pathOf(row))
    answers.push(
      await ada.get('/api/letters/trash'),
      await ada.get(`${pathOf(row)}/history/5`),
      await ada.post(`${pathOf(row)}/restore`),
    )
    for (const { status, text } of answers) {
      assert.equal(status, 200, text)
      assert.doesNotMatch(text, /hidden-/)
    }
    const events = (await eventsOf(service, tenant.id)).filter(({ data }) => data['letterId'] === row.id)
    assert.equal(events.at(-1)?.type, 'letter.restored')
    assert.doesNotMatch(JSON.stringify(events), /hidden-/)
    assert.equal((await made(admin.get(pathOf(row)))).secret, 'hidden-2')
  })

  it('take the right to read, to change and to create', async () => {
    const row = await newLetter(ada)
    await changed(ada, row, { text: 'second' })
    const writer = await callerWith(['letter:write'])
    const bulk = { ids: [row.id], do: 'restore' }
    assertError(await writer.post('/api/letters/bulk', bulk), 403, /right to read them/)
    for (const path of ['/restore', '/history/1/restore'])
      assertError(
        await writer.post(`${pathOf(row)}${path}`),
        403,
        'Restoring letters takes the right to read them.',
      )
    const nobody = await callerWith([])
    for (const path of [`${pathOf(row)}/history`, `${pathOf(row)}/history/1`, '/api/letters/trash'])
      assert.equal((await nobody.get(path)).status, 403)
    for (const path of ['/restore', '/history/1/restore'])
      assert.equal((await nobody.post(`${pathOf(row)}${path}`)).status, 403)
  })
})
