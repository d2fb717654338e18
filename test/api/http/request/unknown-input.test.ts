/** Unknown members and query parameters: ignored, reported in development, or refused. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import type { Answer } from '../../../support/client.ts'
import { assertError } from '../../../support/error.ts'
import { password, startService, type TestService, type TestTenant } from '../../../support/service.ts'

interface Line {
  level: number
  msg: string
  [member: string]: unknown
}

const strict = { prefer: 'handling=strict' }
const text = 'unknown query parameter'

describe('What a request has and its route does not know', () => {
  const lines: Line[] = []
  let now = new Date()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })
    service = await startService('sqlite', {}, { log, clock: () => now })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const told = () => lines.filter(({ msg }) => msg === text)
  const applied = ({ headers }: Answer) => headers.get('preference-applied')

  it('is ignored', async () => {
    const made = await tenant.user.post('/api/products', { name: 'Desk', price: 1, nmae: 'x' })
    assert.equal(made.status, 201)
    assert.equal(applied(made), null)
    assert.equal((await tenant.user.get('/api/auth/me?limt=1')).status, 200)
  })

  const refusals: [method: string, path: string, body: unknown, message: string][] = [
    [
      'GET',
      '/api/products/active?limt=1',
      undefined,
      'limt: is not a parameter of this address; did you mean limit?',
    ],
    ['GET', '/api/init/status?x=1', undefined, 'x: is not a parameter of this address'],
    [
      'POST',
      '/api/products?dryrun=1',
      { name: 'Desk', price: 1, isactive: true, colour: 'red' },
      'isactive: is unknown; did you mean isActive?; colour: is unknown; ' +
        'dryrun: is not a parameter of this address',
    ],
    [
      'POST',
      '/api/orders',
      { customerId: 'c', items: [{ productId: 'x', quantity: 1 }, { productid: 'x' }] },
      'items.1.productid: is unknown; did you mean productId?',
    ],
    [
      'POST',
      '/api/auth/refresh',
      { refreshtoken: 'x' },
      'refreshtoken: is unknown; did you mean refreshToken?',
    ],
    [
      'POST',
      '/graphql',
      { query: '{ __typename }', operationname: 'x' },
      'operationname: is unknown; did you mean operationName?',
    ],
  ]
  it('is what none of several possible bodies names, where strict handling is preferred', async () => {
    const stepUp = (body: object) => tenant.user.post('/api/auth/step-up', body, strict)
    assert.equal((await stepUp({ password })).status, 200)
    assertError(await stepUp({ code: '123456' }), 400, 'code: is wrong')
    assertError(await stepUp({ pasword: 'x' }), 400, /^pasword: is unknown; did you mean password\?/)
  })

  for (const [method, path, body, message] of refusals) {
    it(`is refused where strict handling is preferred: ${method} ${path}`, async () => {
      const answer = await tenant.user.send(method, path, body, strict)
      assertError(answer, 400, message)
      assert.equal(applied(answer), 'handling=strict')
    })
  }

  it('is refused with a pointer to each name, of many to the first twenty', async () => {
    const headers = { ...strict, accept: 'application/problem+json' }
    const one = await tenant.user.post('/api/orders', { items: [{ 'a/b': 1 }] }, headers)
    assert.deepEqual(one.body.errors, [
      { pointer: '#/items/0/a~1b', detail: 'is unknown', code: 'unknownMember' },
    ])
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`member-${index}`, 1]))
    assert.equal((await tenant.user.post('/api/orders', many, headers)).body.errors.length, 20)
  })

  it('is looked for after the caller, and before what is wrong with the rest', async () => {
    assertError(await service.anonymous.post('/api/products', { nmae: 1 }, strict), 401)
    const answer = await tenant.user.post('/api/products', { nmae: 'Desk', price: -1 }, strict)
    assertError(answer, 400, 'nmae: is unknown; did you mean name?')
  })

  it('leaves what is known, and what is free, to strict handling as well', async () => {
    const made = await tenant.user.post('/api/products', { name: 'Chair', price: 2 }, strict)
    assert.equal(made.status, 201)
    assert.equal(applied(made), 'handling=strict')
    const paths = [
      `/api/products/active?limit=1&tenant=${tenant.id}`,
      '/health/live',
      `/api/products/${made.body.id}`,
    ]
    for (const path of paths) assert.equal((await tenant.user.get(path, strict)).status, 200, path)
    const variables = { any: { thing: 1 } }
    const query = { query: '{ products { id } }', variables }
    assert.equal((await tenant.user.post('/graphql', query, strict)).status, 200)
  })

  it('is refused as the header says in any of its forms, and only then', async () => {
    const forms: [prefer: string, status: number, applied: string | null][] = [
      ['handling=strict', 400, 'handling=strict'],
      ['a="b, handling=strict', 200, null], // a quote that nothing closes
      ['Handling="Strict"; x=1', 400, 'handling=strict'],
      ['respond-async, wait=10 , handling = strict', 400, 'handling=strict'],
      ['handling=strict, handling=lenient', 400, 'handling=strict'],
      ['handling=lenient, handling=strict', 200, 'handling=lenient'],
      ['note="a, handling=strict"', 200, null],
      ['handling=strictly', 200, null],
      ['return=minimal', 200, null],
      ['', 200, null],
    ]
    for (const [prefer, status, expected] of forms) {
      const answer = await tenant.user.get('/api/auth/me?limt=1', { prefer })
      assert.deepEqual([answer.status, applied(answer)], [status, expected], prefer)
    }
  })

  it('is a warning in development, once for each name and route in ten minutes, without its value', async () => {
    lines.length = 0
    const { userName } = (await tenant.admin.get('/api/auth/me')).body
    const path = `/api/users/by-username/${userName}`
    const asked = [`${path}?tenntId=s3cret`, `${path}?tenntId=2&tenantId=${tenant.id}`]
    for (const each of [...asked, ...asked]) assert.equal((await tenant.admin.get(each)).status, 200)
    assert.equal((await tenant.user.get(`/api/auth/me?tenant=${tenant.id}&verbose=1`)).status, 200)
    assert.deepEqual(
      told().map(({ level, route, parameter, meant }) => [level, route, parameter, meant]),
      [
        [40, 'GET /api/users/by-username/:userName', 'tenntId', 'tenantId'],
        [40, 'GET /api/auth/me', 'verbose', null],
      ],
    )
    assert.ok(!JSON.stringify(lines).includes('s3cret'))
    now = new Date(now.getTime() + 10 * 60_000)
    await tenant.admin.get(`${path}?tenntId=1`)
    assert.equal(told().length, 3)
  })

  it('is told of a hundred times at most, each time in a few words', async () => {
    now = new Date(now.getTime() + 10 * 60_000)
    lines.length = 0
    for (let count = 0; count < 120; count++) {
      await service.anonymous.get(`/api/init/status?${count}${'x'.repeat(count * 20)}=1`)
    }
    assert.equal(told().length, 100)
    assert.ok(told().every(({ parameter }) => String(parameter).length <= 100))
  })
})

describe('STRICT_INPUT', () => {
  it('handles every request strictly, and says so where that is preferred', async () => {
    const service = await startService('sqlite', { STRICT_INPUT: 'true' })
    const path = '/api/products/active?limt=1'
    for (const [prefer, applied] of [
      [{}, null],
      [{ prefer: 'handling=strict' }, 'handling=strict'],
      [{ prefer: 'handling=lenient' }, null],
    ] as const) {
      const answer = await service.host.get(path, prefer)
      assertError(answer, 400, 'limt: is not a parameter of this address; did you mean limit?')
      assert.equal(answer.headers.get('preference-applied'), applied)
    }
    assert.equal((await service.host.post('/api/products', { name: 'Desk', price: 1 })).status, 201)
    await service.stop()
  })
})

describe('In production', () => {
  it('nobody is told of what is ignored', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    const service = await startService('sqlite', { NODE_ENV: 'production' }, { log })
    assert.equal((await service.host.get('/api/auth/me?limt=1')).status, 200)
    await service.stop()
    assert.ok(!lines.some((line) => line.includes(text)))
  })
})
