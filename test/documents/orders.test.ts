/** What `docs/api/orders.md` shows is what the service answers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { maxAmount } from '../../src/core/schema/schema.ts'
import { maxItems } from '../../src/orders/schema.ts'
import { assertError } from '../support/error.ts'
import { eventsOf, newProduct, type Product } from '../support/orders.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'
import { type Block, codeSpans, fencedBlocks, readDocument, tableUnder, textOf } from './markdown.ts'
import { assertShown } from './output.ts'

const page = readDocument('docs/api/orders.md')
const blocks = fencedBlocks(page).filter(({ language }) => language === 'json')

describe('the page on orders', () => {
  let service: TestService
  let tenant: TestTenant
  let desk: Product
  before(async () => {
    service = await sharedService('sqlite')
    tenant = await service.newTenant()
    desk = await newProduct(tenant.user, { name: 'Walnut desk', price: 19.99 })
  })
  after(() => service.stop())

  const place = async () => {
    const asked = JSON.parse(blockAt(0).text)
    const made = await tenant.user.post('/api/orders', {
      ...asked,
      items: [{ ...asked.items[0], productId: desk.id }],
    })
    assert.equal(made.status, 201, made.text)
    return made
  }

  test('shows an order as it is, and the event that tells of it', async () => {
    assertShown(blockAt(1), (await place()).text)
    assertShown(blockAt(2), JSON.stringify((await eventsOf(service, tenant.id)).at(-1)?.data))
    assert.equal(blocks.length, 3)
  })

  test('has a way from each state to the next, and no other', async () => {
    const ways = tableUnder(page, 'States').map((cells) => cells.flatMap(codeSpans))
    assert.equal(ways.length, 3)
    for (const [from, to, request = ''] of ways) {
      const { body } = await place()
      assert.equal(body.status, from)
      const [method = '', path = ''] = request.split(' ')
      const moved = await tenant.user.send(
        method,
        path.replace('{id}', body.id),
        method === 'PUT' ? {} : undefined,
      )
      assert.equal(moved.body.status, to, moved.text)
    }
  })

  test('quotes what is refused', async () => {
    const idle = await newProduct(tenant.user, { isActive: false })
    const ids = ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11', desk.id, idle.id]
    const items = ids.map((productId) => ({ productId, quantity: 1 }))
    const refused = await tenant.user.post('/api/orders', { customerId: 'c', items })
    assertError(refused, 400)
    assert.ok(codeSpans(page).includes(refused.body.message), refused.body.message)
    const { body } = await place()
    await tenant.user.post(`/api/orders/${body.id}/pay`)
    const late = await tenant.user.post(`/api/orders/${body.id}/cancel`)
    assertError(late, 400)
    assert.ok(codeSpans(page).includes(late.body.message), late.body.message)
  })

  test('has the numbers of the code', () => {
    const amount = String(maxAmount).replaceAll(/\B(?=(\d{3})+\.)/g, ' ')
    for (const text of [`\`items\` are 1 to ${maxItems}`, `more than ${amount} is refused`]) {
      assert.ok(textOf(page).includes(text), text)
    }
  })
})

function blockAt(place: number): Block {
  const block = blocks[place]
  if (block === undefined) throw new Error(`There is no block ${place}.`)
  return block
}
