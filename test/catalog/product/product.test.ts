import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'

const unknownId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

onEitherDatabase('Products', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const create = async (members: Record<string, unknown> = {}) => {
    const made = await tenant.user.post('/api/products', { name: 'Desk', price: 19.99, ...members })
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  const createCategory = async (name: string) => (await tenant.user.post('/api/categories', { name })).body

  it('come back as they were created', async () => {
    const made = await tenant.user.post('/api/products', { name: ' Desk ', price: 19.99 })
    assert.equal(made.status, 201)
    const { id, createdAt, updatedAt } = made.body
    assert.deepEqual(made.body, {
      id,
      name: 'Desk',
      description: null,
      price: 19.99,
      isActive: true,
      categoryId: null,
      createdAt,
      updatedAt,
    })
    const read = await tenant.user.get(`/api/products/${id}`)
    assert.equal(read.status, 200)
    assert.equal(read.text, made.text)
    const list = await tenant.user.get('/api/products')
    assert.equal(list.text, `[${made.text}]`)
  })

  it('say where they are, and carry ids and times of the agreed form', async () => {
    const made = await tenant.user.post('/api/products', { name: 'Desk', price: 1 })
    const { id, createdAt, updatedAt } = made.body
    assert.match(id, uuidV7)
    assert.match(createdAt, timestamp)
    assert.equal(updatedAt, createdAt)
    assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000)
    assert.equal(made.headers.get('location'), `/api/products/${id}`)
    assert.equal(made.headers.get('content-type'), 'application/json; charset=utf-8')
  })

  it('keep every member that was given', async () => {
    const { id: categoryId } = await createCategory('Oak')
    const members = { name: 'Oak desk', description: 'Of oak.', price: 0, isActive: false, categoryId }
    const { id } = await create(members)
    const { body } = await tenant.user.get(`/api/products/${id}`)
    assert.deepEqual({ ...body, ...members }, body)
  })

  it('are found by an id in any case of letters', async () => {
    const { id } = await create()
    const { status, body } = await tenant.user.get(`/api/products/${id.toUpperCase()}`)
    assert.equal(status, 200)
    assert.equal(body.id, id)
  })

  it('ignore members that they do not have', async () => {
    const own = { id: unknownId, version: 7, tenantId: 'default', createdAt: 'then', tenant_id: 'default' }
    const made = await create(own)
    assert.notEqual(made.id, unknownId)
    const changed = await tenant.user.put(`/api/products/${made.id}`, { ...made, ...own, name: 'New' })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.body, { ...made, name: 'New', updatedAt: changed.body.updatedAt })
    assertError(await tenant.user.get(`/api/products/${unknownId}`), 404)
  })

  it('keep what a change leaves out', async () => {
    const { id: categoryId } = await createCategory('Ash')
    const made = await create({ description: 'Of ash.', isActive: false, categoryId })
    const { body } = await tenant.user.put(`/api/products/${made.id}`, { name: 'Table', price: 5 })
    assert.deepEqual(body, { ...made, name: 'Table', price: 5, updatedAt: body.updatedAt })
    assert.deepEqual((await tenant.user.get(`/api/products/${made.id}`)).body, body)
  })

  it('take every change, and give up what is set to null', async () => {
    const { id: categoryId } = await createCategory('Elm')
    const { id } = await create()
    const all = { name: 'Elm', description: 'Of elm.', price: 7.5, isActive: false, categoryId }
    const first = await tenant.user.put(`/api/products/${id}`, all)
    assert.deepEqual({ ...first.body, ...all }, first.body)
    const nothing = { name: 'Elm', price: 7.5, description: null, categoryId: null }
    const second = await tenant.user.put(`/api/products/${id}`, nothing)
    assert.deepEqual(second.body, { ...first.body, ...nothing, updatedAt: second.body.updatedAt })
  })

  it('are listed with all others when they are not active, but not among the active', async () => {
    const active = await create({ name: 'On' })
    const inactive = await create({ name: 'Off', isActive: false })
    const all = ids((await tenant.user.get('/api/products')).body)
    assert.deepEqual([all.includes(active.id), all.includes(inactive.id)], [true, true])
    const some = await tenant.user.get('/api/products/active')
    assert.equal(some.status, 200)
    assert.deepEqual(
      some.body.filter(({ id }: Row) => id === active.id || id === inactive.id),
      [active],
    )
    await tenant.user.put(`/api/products/${inactive.id}`, { name: 'Off', price: 1, isActive: true })
    assert.ok(ids((await tenant.user.get('/api/products/active')).body).includes(inactive.id))
  })

  it('are gone when they are deleted', async () => {
    const { id } = await create({ name: 'Gone' })
    const deleted = await tenant.user.delete(`/api/products/${id}`)
    assert.equal(deleted.status, 204)
    assert.equal(deleted.text, '')
    assert.equal(deleted.headers.get('content-type'), null)
    assertError(await tenant.user.get(`/api/products/${id}`), 404, 'There is no such product.')
    assertError(await tenant.user.delete(`/api/products/${id}`), 404)
    assertError(await tenant.user.put(`/api/products/${id}`, { name: 'Back', price: 1 }), 404)
    assert.ok(!ids((await tenant.user.get('/api/products')).body).includes(id))
    assert.deepEqual((await tenant.user.get('/api/products/search/gone')).body, [])
  })

  it('have a category that exists, or none', async () => {
    const { id } = await create()
    const categoryId = unknownId
    const reason = 'categoryId: names no category'
    assertError(await tenant.user.post('/api/products', { name: 'A', price: 1, categoryId }), 400, reason)
    assertError(
      await tenant.user.put(`/api/products/${id}`, { name: 'A', price: 1, categoryId }),
      400,
      reason,
    )
    assert.equal((await tenant.user.get(`/api/products/${id}`)).body.name, 'Desk')
  })

  it('may name their category in any case of letters', async () => {
    const category = await createCategory('Yew')
    assert.equal((await create({ categoryId: category.id.toUpperCase() })).categoryId, category.id)
  })
})

interface Row {
  id: string
}

function ids(rows: Row[]): string[] {
  return rows.map(({ id }) => id)
}
