/** ETag, If-None-Match and If-Match (RFC 9110, section 13). */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'

const changed = 'The resource has changed since it was read.'

onEitherDatabase('Conditional requests', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const create = async () => {
    const { body, headers } = await tenant.user.post('/api/products', { name: 'Desk', price: 1 })
    return { path: `/api/products/${body.id}`, tag: headers.get('etag') ?? '', body }
  }
  const put = (path: string, ifMatch: string, name = 'New') =>
    tenant.user.put(path, { name, price: 2 }, { 'if-match': ifMatch })
  const get = (path: string, ifNoneMatch: string) => tenant.user.get(path, { 'if-none-match': ifNoneMatch })

  it('show the version of a product in every reply with it', async () => {
    const { path, tag } = await create()
    assert.equal(tag, '"v1"')
    assert.equal((await tenant.user.get(path)).headers.get('etag'), '"v1"')
    const updated = await tenant.user.put(path, { name: 'New', price: 2 })
    assert.equal(updated.headers.get('etag'), '"v2"')
    assert.equal((await tenant.user.get(path)).headers.get('etag'), '"v2"')
  })

  for (const [title, list] of [
    ['the tag', '"v1"'],
    ['the weak tag', 'W/"v1"'],
    ['anything', '*'],
    ['a list with the tag', '"v7", W/"v1" ,"v9"'],
  ] as const) {
    it(`answer 304 to a client that has ${title}`, async () => {
      const { path, tag } = await create()
      const answer = await get(path, list)
      assert.equal(answer.status, 304)
      assert.equal(answer.text, '')
      assert.equal(answer.headers.get('etag'), tag)
      assert.equal(answer.headers.get('content-type'), null)
      const head = await tenant.user.send('HEAD', path, undefined, { 'if-none-match': list })
      assert.equal(head.status, 304)
    })
  }

  it('answer 200 to a client that has something else, or none', async () => {
    const { path, body } = await create()
    for (const list of ['"v2"', 'v1', '"V1"', '', '"v7", "v8"']) {
      const answer = await get(path, list)
      assert.equal(answer.status, 200, list)
      assert.deepEqual(answer.body, body)
    }
    await tenant.user.put(path, { name: 'New', price: 2 })
    assert.equal((await get(path, '"v1"')).status, 200)
  })

  for (const path of [
    '/api/products',
    '/api/products?limit=200',
    '/api/products/active',
    '/api/products/search/desk',
    '/api/categories',
  ]) {
    it(`answer 304 for ${path} until something in it changes`, async () => {
      const { path: product } = await create()
      const category = await tenant.user.post('/api/categories', { name: `Desks of ${path}` })
      const first = await tenant.user.get(path)
      const tag = first.headers.get('etag') ?? ''
      assert.match(tag, /^"[\w-]+"$/)
      assert.equal((await get(path, tag)).status, 304)
      assert.equal((await get(path, `W/${tag}`)).status, 304)
      assert.equal((await get(path, '"other"')).status, 200)
      await tenant.user.delete(product)
      await tenant.user.delete(`/api/categories/${category.body.id}`)
      assert.equal((await get(path, tag)).status, 200)
    })
  }

  it('do not mistake the list of one tenant for that of another', async () => {
    await create()
    const tag = (await tenant.user.get('/api/products')).headers.get('etag') ?? ''
    const other = await service.newTenant()
    assert.equal((await other.user.get('/api/products', { 'if-none-match': tag })).status, 200)
  })

  it('change a product only when the client has its present version', async () => {
    const { path } = await create()
    assert.equal((await put(path, '"v1"')).status, 200)
    assertError(await put(path, '"v1"', 'Newer'), 412, changed)
    assert.equal((await tenant.user.get(path)).body.name, 'New')
    assert.equal((await put(path, '"v2"', 'Newer')).status, 200)
  })

  it('take any of several tags, and * for any version', async () => {
    const { path } = await create()
    assert.equal((await put(path, '"v7" , "v1"')).status, 200)
    assert.equal((await put(path, '*')).status, 200)
    assert.equal((await put(path, '*')).headers.get('etag'), '"v4"')
  })

  for (const form of ['W/"v1"', '"v1-gzip"', '"v1-br"', '"v1-zstd"', 'W/"v1-gzip"']) {
    it(`take the tag of a version as a proxy that compresses has passed it on: ${form}`, async () => {
      const { path } = await create()
      assert.equal((await get(path, form)).status, 304)
      assert.equal((await put(path, form)).headers.get('etag'), '"v2"')
      assertError(await put(path, form, 'Newer'), 412, changed)
      assertError(await tenant.user.delete(path, { 'if-match': form }), 412, changed)
      const second = form.replace('v1', 'v2')
      assert.equal((await tenant.user.delete(path, { 'if-match': second })).status, 204)
    })
  }

  it('never change anything for a tag that is not the version', async () => {
    const { path } = await create()
    for (const tag of ['W/"v2"', 'w/"v1"', 'W/v1', 'v1', '""', '"v1', '"v10"', '"v1"x']) {
      assertError(await put(path, tag), 412, changed)
      assertError(await tenant.user.delete(path, { 'if-match': tag }), 412, changed)
    }
    assert.equal((await tenant.user.get(path)).headers.get('etag'), '"v1"')
  })

  it('delete a product only in the version that the client knows', async () => {
    const { path } = await create()
    await tenant.user.put(path, { name: 'New', price: 2 })
    assertError(await tenant.user.delete(path, { 'if-match': '"v1"' }), 412, changed)
    assert.equal((await tenant.user.delete(path, { 'if-match': '"v2"' })).status, 204)
    assertError(await tenant.user.delete(path, { 'if-match': '*' }), 404)
  })

  it('judge the input before the condition', async () => {
    const { path } = await create()
    assertError(await tenant.user.put(path, { name: '', price: 2 }, { 'if-match': '"v9"' }), 400)
  })

  it('let exactly one of two changes of the same version through, twenty times over', async () => {
    const { path } = await create()
    for (let version = 1; version <= 20; version++) {
      const tag = `"v${version}"`
      const answers = await Promise.all([put(path, tag, 'One'), put(path, tag, 'Two')])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412])
      const winner = answers.find(({ status }) => status === 200)
      assert.equal(winner?.headers.get('etag'), `"v${version + 1}"`)
      assert.equal((await tenant.user.get(path)).text, winner?.text)
    }
  })

  it('let either a change or a deletion of the same version through, twenty times over', async () => {
    for (let round = 0; round < 20; round++) {
      const { path } = await create()
      const [update, removal] = await Promise.all([
        put(path, '"v1"'),
        tenant.user.delete(path, { 'if-match': '"v1"' }),
      ])
      const outcomes = `${update.status} ${removal.status}`
      assert.ok(['200 412', '404 204'].includes(outcomes), outcomes)
    }
  })

  it('lose no change when nobody asks for a condition', async () => {
    const { path } = await create()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenant.user.put(path, { name: 'A', price: 1 })),
    )
    const tags = answers.map(({ headers }) => headers.get('etag'))
    assert.equal(new Set(tags).size, 20)
    assert.equal((await tenant.user.get(path)).headers.get('etag'), '"v21"')
  })
})
