/** Prices are exact: every reply shows what was sent, to the last decimal. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { onEachDatabase } from '../../support/databases.ts'
import { decimal, decimalsIn } from '../../support/decimals.ts'
import { assertError } from '../../support/error.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'
import { sharedService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'

/** The largest price, in ten-thousandths. */
const most = 999_999_999_999_999n

/** Where binary fractions, digits and SQL's types are most likely to go wrong, in ten-thousandths. */
const edges = [
  0n,
  1n,
  9n,
  10n,
  1000n,
  9_999n,
  10_000n,
  10_001n,
  199_900n,
  2_147_483_647n,
  2_147_483_648n,
  4_294_967_296n,
  1_000_000_000_000n,
  900_719_925_474_099n,
  999_999_999_990_000n,
  999_999_999_999_998n,
  most,
]

onEachDatabase('Prices', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const create = (price: string, name = 'Desk') =>
    tenant.user.post('/api/products', `{"name":${JSON.stringify(name)},"price":${price}}`)

  /** Creates a product for each, and looks at all the ways in which they come back. */
  async function assertExact(prices: readonly bigint[]): Promise<void> {
    const word = uniqueName('price')
    const made = await Promise.all(prices.map((price) => create(decimal(price), word)))
    const expected = new Map<string, bigint>()
    for (const [index, answer] of made.entries()) {
      assert.equal(answer.status, 201, answer.text)
      assert.deepEqual(decimalsIn(answer.text, 'price'), [prices[index]])
      expected.set(answer.body.id, prices[index] ?? -1n)
      assert.equal(answer.body.price, Number(decimal(prices[index] ?? -1n)))
    }
    const reads = await Promise.all([...expected.keys()].map((id) => tenant.user.get(`/api/products/${id}`)))
    assert.deepEqual(
      reads.flatMap(({ text }) => decimalsIn(text, 'price')),
      [...prices],
    )
    for (const path of ['/api/products', '/api/products/active', `/api/products/search/${word}`]) {
      const { text, body } = await tenant.user.get(path)
      const found = decimalsIn(text, 'price')
      assert.equal(found.length, body.length)
      for (const [index, { id, price }] of body.entries()) {
        const wanted = expected.get(id)
        if (wanted === undefined) continue
        assert.equal(found[index], wanted, path)
        assert.equal(price, Number(decimal(wanted)))
      }
    }
  }

  it('come back exactly where it is hardest', () => assertExact(edges))

  it('come back exactly, whatever they are', async () => {
    const price = fc.oneof(fc.bigInt(0n, most), fc.bigInt(0n, 10_000_000n), fc.bigInt(most - 10_000n, most))
    await fc.assert(fc.asyncProperty(fc.array(price, { minLength: 25, maxLength: 25 }), assertExact), {
      numRuns: runsOf(2, 10),
      seed: runSeed,
      endOnFailure: true,
    })
  })

  it('change exactly', async () => {
    const { body } = await create('1')
    for (const price of edges) {
      const path = `/api/products/${body.id}`
      const answer = await tenant.user.put(path, `{"name":"Desk","price":${decimal(price)}}`)
      assert.deepEqual(decimalsIn(answer.text, 'price'), [price])
      assert.deepEqual(decimalsIn((await tenant.user.get(path)).text, 'price'), [price])
    }
  })

  it('may be written in any way that JSON allows', async () => {
    const ways = { '19.9900': 19.99, '1999e-2': 19.99, '1.999E1': 19.99, '-0': 0, '0.0': 0, '1e10': 1e10 }
    for (const [text, value] of Object.entries(ways)) {
      const { status, body } = await create(text)
      assert.equal(status, 201, text)
      assert.ok(Object.is(body.price, value), text)
      const list = await tenant.user.get('/api/products')
      assert.ok(Object.is(list.body.at(-1).price, value), `${text} in the list: ${list.text.slice(-200)}`)
    }
  })

  for (const price of ['-0.0001', '-1', '-1e300']) {
    it(`may not be ${price}, which is less than nothing`, async () => {
      assertError(await create(price), 400, 'price: must be >= 0')
    })
  }

  for (const price of ['100000000000', '99999999999.99995', '1e12', '1e300', '9007199254740992']) {
    it(`may not be ${price}, which is more than can be kept exactly`, async () => {
      assertError(await create(price), 400, /^price: must be <= 99999999999\.9999$/)
    })
  }

  for (const price of ['0.00001', '19.99999', '1e-5', '1e-7', '5e-324', '0.1000000000000001']) {
    it(`may not be ${price}, which has more than four decimals`, async () => {
      assertError(await create(price), 400, 'price: must have at most 4 decimals')
    })
  }

  for (const price of ['"19.99"', 'null', 'true', '[1]', '{"amount":1}', '""']) {
    it(`may not be ${price}, which is no number`, async () => {
      assertError(await create(price), 400, /^price: must be number$/)
    })
  }

  for (const price of ['9007199254740993', '19.990000000000000001', '1e-400', '1e400', '-1e400']) {
    it(`may not be ${price}, which JavaScript would change`, async () => {
      assertError(
        await create(price),
        400,
        `The number ${price} would not be kept exactly: send fewer digits, or a string where one is accepted.`,
      )
    })
  }

  for (const price of ['NaN', 'Infinity', '-Infinity', '+1', '.5', '1.', '0x10', '1_000', '01', '1,5']) {
    it(`may not be ${price}, which is no JSON`, async () => {
      assertError(await create(price), 400, 'The body is not valid JSON.')
    })
  }
})
