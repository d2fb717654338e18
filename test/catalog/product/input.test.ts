/** Invalid products, and the messages of their refusals. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'

const desk = { name: 'Desk', price: 1 }
const wrongTypes = { number: 5, boolean: true, list: ['Desk'], object: { a: 1 } }

onEitherDatabase('A product that is none', (database) => {
  let service: TestService
  let tenant: TestTenant
  let path: string
  let original: string
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    const made = await tenant.user.post('/api/products', desk)
    path = `/api/products/${made.body.id}`
    original = made.text
  })
  after(() => service.stop())

  /** Creating and changing are judged alike. */
  async function assertRefused(body: unknown, message: string | RegExp): Promise<void> {
    assertError(await tenant.user.post('/api/products', body), 400, message)
    assertError(await tenant.user.put(path, body), 400, message)
  }

  it('has no name or no price', async () => {
    await assertRefused({ price: 1 }, 'name: is required')
    await assertRefused({ name: 'Desk' }, 'price: is required')
    await assertRefused({}, 'name: is required; price: is required')
    await assertRefused({ name: null, price: null }, /^name: must be string; price: must be number$/)
  })

  for (const [type, value] of Object.entries(wrongTypes)) {
    it(`has a ${type} where text belongs`, async () => {
      await assertRefused({ ...desk, name: value }, 'name: must be string')
      await assertRefused({ ...desk, description: value }, 'description: must be either string or null')
      await assertRefused({ ...desk, categoryId: value }, 'categoryId: must be either string or null')
    })
  }

  it('is neither active nor not', async () => {
    for (const isActive of ['true', 'false', 1, 0, null, [], '']) {
      await assertRefused({ ...desk, isActive }, 'isActive: must be boolean')
    }
  })

  it('has a category that is no UUID', async () => {
    const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
    for (const categoryId of [
      '',
      'desks',
      id.slice(1),
      `{${id}}`,
      `urn:uuid:${id}`,
      id.replaceAll('-', ''),
    ]) {
      await assertRefused({ ...desk, categoryId }, 'categoryId: must be a valid uuid')
    }
  })

  it('is something else altogether', async () => {
    for (const body of ['null', 'true', '5', '"Desk"', '[]', '[{"name":"Desk","price":1}]']) {
      await assertRefused(body, 'body: must be object')
    }
  })

  it('is told all its faults at once, each by the name of its member', async () => {
    const faulty = { name: 'x'.repeat(201), description: 5, price: -1, isActive: 'yes', categoryId: 'desks' }
    const answer = await tenant.user.post('/api/products', faulty)
    assertError(answer, 400)
    const members = answer.body.message.split('; ').map((fault: string) => fault.split(':')[0])
    assert.deepEqual(members.toSorted(), Object.keys(faulty).toSorted())
  })

  it('is told its faults one by one by problem details', async () => {
    const accept = { accept: 'application/problem+json' }
    const answer = await tenant.user.post('/api/products?limit=3', { price: -1, isActive: 1 }, accept)
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
    assert.deepEqual(answer.body, {
      type: 'about:blank',
      title: 'The request is not valid.',
      status: 400,
      code: 'invalid',
      detail: 'name: is required; price: must be >= 0; isActive: must be boolean',
      instance: '/api/products?limit=3',
      errors: [
        { pointer: '#/name', detail: 'is required', code: 'required' },
        { pointer: '#/price', detail: 'must be >= 0', code: 'tooSmall', parameters: { limit: 0 } },
        {
          pointer: '#/isActive',
          detail: 'must be boolean',
          code: 'wrongType',
          parameters: { type: 'boolean' },
        },
      ],
    })
  })

  it('does not hide its faults behind a second member of the same name: the last one counts', async () => {
    await assertRefused('{"name":"Desk","price":1,"price":-1}', 'price: must be >= 0')
    await assertRefused('{"name":"Desk","price":1,"name":""}', /^name: must not have fewer/)
    const made = await tenant.user.post('/api/products', '{"name":"A","price":-1,"name":"B","price":2}')
    assert.deepEqual([made.body.name, made.body.price], ['B', 2])
    await tenant.user.delete(`/api/products/${made.body.id}`)
  })

  it('gets nothing from a prototype in the body', async () => {
    for (const member of ['"__proto__":{"isActive":false}', '"constructor":{"prototype":{"a":1}}']) {
      const { status, body } = await tenant.user.post('/api/products', `{"name":"Desk","price":1,${member}}`)
      assert.deepEqual([status, body.isActive], [201, true])
      await tenant.user.delete(`/api/products/${body.id}`)
      await assertRefused(`{"price":1,"__proto__":{"name":"Desk"},${member}}`, 'name: is required')
    }
    const own = await tenant.user.post(
      '/api/products',
      '{"name":"A","price":1,"toString":"x","hasOwnProperty":1}',
    )
    assert.equal(own.status, 201)
    await tenant.user.delete(`/api/products/${own.body.id}`)
  })

  it('may not be nested without end, not even in members that are ignored', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const message = 'The body is nested deeper than 100 levels.'
    await assertRefused(deep(300_000), message)
    await assertRefused(`{"name":"Desk","price":1,"more":${deep(200_000)}}`, message)
    await assertRefused(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, message)
    const key = { 'idempotency-key': 'deep' }
    assertError(await tenant.user.post('/api/products', `{"a":${deep(200_000)}}`, key), 400, message)
    const made = await tenant.user.post('/api/products', `{"name":"A","price":1,"more":${deep(50)}}`)
    assert.equal(made.status, 201)
    await tenant.user.delete(`/api/products/${made.body.id}`)
  })

  it('leaves nothing behind', async () => {
    assert.equal((await tenant.user.get('/api/products')).text, `[${original}]`)
  })
})
