import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { sharedService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'

const unknownId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const taken = 'name: is taken by another category'

onEitherDatabase('Categories', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const create = async (name = uniqueName('category')) => {
    const made = await tenant.user.post('/api/categories', { name })
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  it('come back as they were created', async () => {
    const name = uniqueName('category')
    const made = await tenant.user.post('/api/categories', { name: ` ${name}\t` })
    assert.equal(made.status, 201)
    const { id, createdAt } = made.body
    assert.deepEqual(made.body, { id, name, createdAt, updatedAt: createdAt })
    assert.equal(made.headers.get('location'), `/api/categories/${id}`)
    assert.equal(made.headers.get('etag'), '"v1"')
    const read = await tenant.user.get(`/api/categories/${id.toUpperCase()}`)
    assert.equal(read.status, 200)
    assert.equal(read.text, made.text)
    const list = await tenant.user.get('/api/categories')
    assert.equal(list.status, 200)
    assert.deepEqual(list.body.at(-1), made.body)
  })

  it('change their name and nothing else, whatever comes with it', async () => {
    const [one, two] = [await create(), await create()]
    const path = `/api/categories/${one.id}`
    const name = uniqueName('category')
    const more = { id: two.id, version: 9, createdAt: 'then', updatedAt: 'then', tenantId: 'default' }
    const changed = await tenant.user.put(path, { ...more, name })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.body, { ...one, name, updatedAt: changed.body.updatedAt })
    assert.equal(changed.headers.get('etag'), '"v2"')
    assert.equal((await tenant.user.get(path)).text, changed.text)
    assert.deepEqual((await tenant.user.get(`/api/categories/${two.id}`)).body, two)
  })

  it('are gone when they are deleted', async () => {
    const { id } = await create()
    const path = `/api/categories/${id}`
    const deleted = await tenant.user.delete(path)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    const none = 'There is no such category.'
    assertError(await tenant.user.get(path), 404, none)
    assertError(await tenant.user.put(path, { name: 'A' }), 404, none)
    assertError(await tenant.user.delete(path), 404, none)
  })

  it('stay while products are in them', async () => {
    const { id } = await create()
    const path = `/api/categories/${id}`
    const product = await tenant.user.post('/api/products', { name: 'Desk', price: 1, categoryId: id })
    assertError(await tenant.user.delete(path), 400, 'The category is in use and cannot be deleted.')
    assert.equal((await tenant.user.get(path)).status, 200)
    assert.equal((await tenant.user.get(`/api/products/${product.body.id}`)).text, product.text)
    await tenant.user.put(`/api/products/${product.body.id}`, { name: 'Desk', price: 1, categoryId: null })
    assert.equal((await tenant.user.delete(path)).status, 204)
  })

  it('have names of their own, without regard to case or composition', async () => {
    const { id } = await create('Möbel')
    for (const name of ['Möbel', 'MÖBEL', ' möbel ', 'mo\u0308bel']) {
      assertError(await tenant.user.post('/api/categories', { name }), 400, taken)
    }
    const other = await create()
    assertError(await tenant.user.put(`/api/categories/${other.id}`, { name: 'mÖbel' }), 400, taken)
    assert.equal((await tenant.user.put(`/api/categories/${id}`, { name: 'MÖBEL' })).body.name, 'MÖBEL')
    const stranger = await service.newTenant()
    assert.equal((await stranger.user.post('/api/categories', { name: 'Möbel' })).status, 201)
  })

  it('of one name are one, however many ask for them at the same time', async () => {
    const name = uniqueName('category')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenant.user.post('/api/categories', { name })),
    )
    for (const answer of answers.filter(({ status }) => status !== 201)) assertError(answer, 400, taken)
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  })

  it('keep the products that are put into them while they are being deleted', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create()
      const [deletion, product] = await Promise.all([
        tenant.user.delete(`/api/categories/${id}`),
        tenant.user.post('/api/products', { name: 'Desk', price: 1, categoryId: id }),
      ])
      const outcome = `${deletion.status} ${product.status}`
      assert.ok(['204 400', '400 201'].includes(outcome), outcome)
    }
  })

  it('need a name of 1 to 200 characters', async () => {
    const { id } = await create()
    const refusals: [unknown, RegExp][] = [
      [{}, /^name: is required$/],
      [{ name: null }, /^name: must be string$/],
      [{ name: 5 }, /^name: must be string$/],
      [{ name: ' ' }, /^name: must not have fewer than 1 characters$/],
      [{ name: 'x'.repeat(201) }, /^name: must not have more than 200 characters$/],
      [[], /^body: must be object$/],
      ['{', /^The body is not valid JSON\.$/],
      [undefined, /^The body is missing/],
    ]
    for (const [body, message] of refusals) {
      assertError(await tenant.user.post('/api/categories', body), 400, message)
      assertError(await tenant.user.put(`/api/categories/${id}`, body), 400, message)
    }
    assert.equal((await create('x'.repeat(200))).name.length, 200)
  })

  it('change and go only in the version that the client knows', async () => {
    const { id } = await create()
    const path = `/api/categories/${id}`
    const put = (tag: string) => tenant.user.put(path, { name: uniqueName('category') }, { 'if-match': tag })
    for (const tag of ['"v2"', 'W/"v2"', 'v1']) {
      assertError(await put(tag), 412)
      assertError(await tenant.user.delete(path, { 'if-match': tag }), 412)
    }
    const race = await Promise.all([put('"v1"'), put('"v1"')])
    assert.deepEqual(race.map(({ status }) => status).toSorted(), [200, 412])
    assert.equal((await tenant.user.get(path, { 'if-none-match': 'W/"v2"' })).status, 304)
    assert.equal((await put('"v7", "v2"')).status, 200)
    assert.equal((await tenant.user.delete(path, { 'if-match': '*' })).status, 204)
    assertError(await put('*'), 404)
    assertError(
      await tenant.user.put(`/api/categories/${unknownId}`, { name: 'A' }, { 'if-match': '*' }),
      404,
    )
  })

  it('are created once for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': uniqueName('key') }
    const body = { name: uniqueName('category') }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tenant.user.post('/api/categories', body, key)),
    )
    for (const { status, text, headers } of answers) {
      assert.deepEqual([status, text], [201, answers[0]?.text])
      assert.equal(headers.get('location'), `/api/categories/${answers[0]?.body.id}`)
    }
    assertError(await tenant.user.post('/api/categories', { name: 'Other' }, key), 422)
  })
})
