/** Fields are added to products and orders as a contributor adds them: to a copy of the project. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { catalogMigrations } from '../../src/catalog/feature.ts'
import { orderMigrations } from '../../src/orders/migration.ts'
import type { Client } from '../support/client.ts'
import { type DatabaseName, onEitherDatabase } from '../support/databases.ts'
import { changedSources, copyOfProject } from '../support/process/project-copy.ts'
import { type RunningService, Workplace } from '../support/process/workplace.ts'
import { startService, type TestService } from '../support/service.ts'

/** No field of the service will have these names. */
const [productField, orderField] = ['codeOfTheTest', 'noteOfTheTest']

/** The next number of the migrations, which have names like `0002-change-product`. */
function nextNumber(names: readonly string[]): string {
  const last = Math.max(...names.map((name) => Number(/\d{4}/.exec(name)?.[0] ?? 0)))
  return `${last + 1}`.padStart(4, '0')
}

const product = {
  file: 'catalog/product/product.ts',
  line: `  ${productField}: text({ max: 40, pattern: '[A-Z0-9-]+' }).optional(),\n`,
  migration: `${nextNumber(catalogMigrations.migrations.map(({ name }) => name))}-product-add-code-of-the-test.sql`,
}
const order = {
  file: 'orders/schema.ts',
  line: `  ${orderField}: text({ max: 200, examples: ['At the back door'] }).optional(),\n`,
  migrationFile: 'orders/migration.ts',
  migration: `  {
    name: 'order-${nextNumber(orderMigrations.map(({ name }) => name))}',
    database: 'tenant',
    statements: (t) => [\`ALTER TABLE sales_order ADD COLUMN note_of_the_test \${t.text}\`],
  },
`,
}

interface Scene extends AsyncDisposable {
  /** A product and an order of the service without the fields. */
  oldProduct: Record<string, unknown>
  oldOrder: Record<string, unknown>
  /** The service with the fields, on the same database. */
  service: RunningService
  user: Client
}

describe('A new field', () => {
  const place = new Workplace()
  const copy = copyOfProject(place.folder)
  const command = [process.execPath, join(copy, 'src/main.ts')]
  after(() => place[Symbol.asyncDispose]())

  it('of products takes one line and the migration that the command writes', async () => {
    change(copy, product.file, (text) => text.replace('  price: money(),\n', `$&${product.line}`))
    const { code, stdout, stderr } = await place.runProcess(['migrate', 'diff'], { command })
    assert.deepEqual([code, stderr], [0, ''])
    const written = `\\S+/${product.migration} and the snapshot beside it`
    assert.match(
      stdout,
      new RegExp(`^product: add code_of_the_test\\nOn SQLite:[^]*\\nWritten: ${written}\\.`),
    )
    assert.deepEqual(changedSources(copy), ofProducts)
  })

  it('of orders takes one line and its migration', () => {
    change(copy, order.file, (text) => text.replace('\nconst fields = {\n', `$&${order.line}`))
    change(copy, order.migrationFile, (text) => text.replace(/\n\]\n$/, `\n${order.migration}]\n`))
    assert.deepEqual(changedSources(copy), [...ofProducts, order.migrationFile, order.file])
  })

  onEitherDatabase('is there for old and new rows', (database) => {
    let scene: Scene
    before(async () => {
      scene = await serveAfterChange(database, place, [...command, 'serve'])
    })
    after(() => scene[Symbol.asyncDispose]())

    it('of products', async () => {
      const { user, oldProduct, service } = scene
      const made = await user.post('/api/products', { name: 'Oak desk', price: 10, [productField]: 'OAK-1' })
      assert.deepEqual([made.status, made.body[productField]], [201, 'OAK-1'], made.text)
      const listed = await user.get(`/api/products?fields=name,${productField}`)
      assert.deepEqual(listed.body, [
        { name: 'Walnut desk', [productField]: null },
        { name: 'Oak desk', [productField]: 'OAK-1' },
      ])
      const read = await user.get(`/api/products/${oldProduct['id']}`)
      assert.deepEqual(read.body, { ...oldProduct, [productField]: null })
      const query = `{ products(where: { ${productField}: { startsWith: "OAK" } }) { id ${productField} } }`
      const { body } = await user.post('/graphql', { query })
      assert.deepEqual(body, { data: { products: [{ id: made.body.id, [productField]: 'OAK-1' }] } })
      const { body: description } = await service.anonymous.get('/swagger/v1/swagger.json')
      for (const name of ['Product', 'ProductInput', 'ProductUpdate', 'ProductChange'])
        assert.ok(productField in description.components.schemas[name].properties, name)
    })

    it('of orders', async () => {
      const { user, oldProduct, oldOrder, service } = scene
      const items = [{ productId: oldProduct['id'], quantity: 2 }]
      const made = await user.post('/api/orders', {
        customerId: 'customer-2',
        [orderField]: 'Ring twice',
        items,
      })
      assert.deepEqual([made.status, made.body[orderField]], [201, 'Ring twice'], made.text)
      assert.deepEqual((await user.get(`/api/orders/${made.body.id}`)).body, made.body)
      const path = `/api/orders/${oldOrder['id']}`
      const read = await user.get(path)
      assert.deepEqual(read.body, { ...oldOrder, [orderField]: null })

      const changed = await user.put(path, { [orderField]: 'At the back door' })
      assert.deepEqual([changed.status, changed.body[orderField]], [200, 'At the back door'], changed.text)
      const kept = await user.put(path, { currency: 'EUR' })
      assert.deepEqual(
        [kept.body[orderField], kept.body.currency, kept.body.items],
        ['At the back door', 'EUR', oldOrder['items']],
      )
      const paid = await user.post(`/api/orders/${made.body.id}/pay`, {})
      assert.deepEqual([paid.body.status, paid.body[orderField]], ['PAID', 'Ring twice'], paid.text)

      const listed = await user.get(`/api/orders?fields=customerId,${orderField}&sort=${orderField}`)
      assert.deepEqual(listed.body, [
        { [orderField]: 'At the back door', customerId: 'customer-1' },
        { [orderField]: 'Ring twice', customerId: 'customer-2' },
      ])
      const query = `{ orders(where: { ${orderField}: { startsWith: "Ring" } }) { nodes { id ${orderField} } } }`
      const { body } = await user.post('/graphql', { query })
      assert.deepEqual(body.data.orders.nodes, [{ id: made.body.id, [orderField]: 'Ring twice' }])
      const input = { customerId: 'customer-3', [orderField]: 'No hurry', items }
      const mutation = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { ${orderField} } }`
      const created = await user.post('/graphql', { query: mutation, variables: { input } })
      assert.deepEqual(created.body, { data: { createOrder: { [orderField]: 'No hurry' } } })
      const { body: description } = await service.anonymous.get('/swagger/v1/swagger.json')
      for (const name of ['Order', 'OrderInput', 'OrderUpdate'])
        assert.ok(orderField in description.components.schemas[name].properties, name)
    })
  })
})

const ofProducts = [
  `catalog/migrations/${product.migration}`,
  'catalog/migrations/snapshot.json',
  product.file,
]

async function serveAfterChange(database: DatabaseName, place: Workplace, command: string[]): Promise<Scene> {
  const old = await startService(database)
  const { body: oldProduct } = await old.host.post('/api/products', { name: 'Walnut desk', price: 10 })
  const items = [{ productId: oldProduct.id, quantity: 2 }]
  const { status, text, body } = await old.host.post('/api/orders', { customerId: 'customer-1', items })
  assert.equal(status, 201, text)
  await old.service.stop()
  const service = await place.serve(settingsOf(old), command)
  return {
    oldProduct,
    oldOrder: body,
    service,
    user: service.anonymous.with(old.host.headers),
    [Symbol.asyncDispose]: async () => {
      await service.stop()
      await old.stop()
    },
  }
}

function settingsOf({ config }: TestService): Record<string, string> {
  const { dataDir, databaseUrl, masterKey } = config
  const key = Buffer.from(masterKey).toString('base64')
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, MASTER_KEY: key }
}

function change(copy: string, path: string, changed: (text: string) => string): void {
  const file = join(copy, 'src', path)
  writeFileSync(file, changed(readFileSync(file, 'utf8')))
}
