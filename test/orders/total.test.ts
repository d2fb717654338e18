/** Totals are exact: every reply shows the result of integers of ten-thousandths. */
import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import fc from 'fast-check'
import { toAmount, toTenThousandths } from '../../src/core/money.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { decimal, decimalsIn } from '../support/decimals.ts'
import { newProduct } from '../support/orders.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'

/** The largest amount, in ten-thousandths. */
const most = 999_999_999_999_999n

const amount = fc.oneof(fc.bigInt(0n, most), fc.bigInt(0n, 10_000_000n), fc.bigInt(most - 10_000n, most))

describe('amounts', () => {
  test('become ten-thousandths and amounts again, whatever they are', () => {
    fc.assert(
      fc.property(amount, (units) => {
        const value = Number(decimal(units))
        assert.equal(toTenThousandths(value), units)
        assert.ok(Object.is(toAmount(units), value))
      }),
      { numRuns: 1000, seed: runSeed },
    )
  })

  test('end at fifteen digits', () => {
    assert.equal(toAmount(most), 99_999_999_999.9999)
    assert.equal(toAmount(most + 1n), null)
  })
})

onEitherDatabase('Totals', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  /** Prices so small, and quantities so few, that the sum is an amount most of the time. */
  const line = fc
    .oneof(
      fc.tuple(fc.bigInt(0n, 1_000_000n), fc.integer({ min: 1, max: 1_000_000 })),
      fc.tuple(fc.bigInt(0n, most / 8n), fc.integer({ min: 1, max: 2 })),
    )
    .map(([price, quantity]) => ({ price, quantity }))

  it('are the sums of whole ten-thousandths, line by line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
        const products = await Promise.all(
          lines.map(({ price }) => newProduct(tenant.user, { price: Number(decimal(price)) })),
        )
        const items = products.map(({ id }, index) => ({ productId: id, quantity: lines[index]?.quantity }))
        const made = await tenant.user.post('/api/orders', { customerId: 'c', items })
        const totals = lines.map(({ price, quantity }) => price * BigInt(quantity))
        const sum = totals.reduce((one, other) => one + other)
        if (sum > most) {
          assert.equal(made.status, 400, made.text)
          return
        }
        assert.equal(made.status, 201, made.text)
        const read = await tenant.user.get(`/api/orders/${made.body.id}`)
        const list = await tenant.user.get(`/api/orders?limit=1&cursor=${cursorBefore(made.body.id)}`)
        for (const { text } of [made, read, list]) {
          assert.deepEqual(decimalsIn(text, 'total'), [sum])
          assert.deepEqual(decimalsIn(text, 'lineTotal'), totals)
          assert.deepEqual(
            decimalsIn(text, 'unitPrice'),
            lines.map(({ price }) => price),
          )
        }
      }),
      { numRuns: runsOf(15, 60), seed: runSeed, endOnFailure: true },
    )
  })
})

/** A list that goes on behind this cursor begins with the row of the id. */
function cursorBefore(id: string): string {
  const last = Number.parseInt(id.slice(-12), 16) - 1
  return Buffer.from(`${id.slice(0, -12)}${last.toString(16).padStart(12, '0')}`).toString('base64url')
}
