/** Fields are added to products and orders as a contributor adds them: to a copy of the project. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { type DatabaseName, onEitherDatabase } from '../support/databases.ts'
import { changedSources, copyOfProject } from '../support/process/project-copy.ts'
import { type RunningService, Workplace } from '../support/process/workplace.ts'
import { startService, type TestService } from '../support/service.ts'

const product = {
  file: 'catalog/product/product.ts',
  line: "  sku: text({ max: 40, pattern: '[A-Z0-9-]+' }).optional(),\n",
}
const order = {
  file: 'orders/schema.ts',
  line: "  note: text({ max: 200, examples: ['At the back door'] }).optional(),\n",
  migrationFile: 'orders/migration.ts',
  migration: `  {
    name: 'order-0002',
    database: 'tenant',
    statements: (t) => [\`ALTER TABLE sales_order ADD COLUMN note \${t.text}\`],
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
    assert.match(
      stdout,
      /^product: add sku\nWritten: \S+\/0003-product-add-sku\.sql and the snapshot beside it\./,
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
      const made = await user.post('/api/products', { name: 'Oak desk', price: 10, sku: 'OAK-1' })
      assert.deepEqual([made.status, made.body.sku], [201, 'OAK-1'], made.text)
      const listed = await user.get('/api/products?fields=name,sku')
      assert.deepEqual(listed.body, [
        { name: 'Walnut desk', sku: null },
        { name: 'Oak desk', sku: 'OAK-1' },
      ])
      const read = await user.get(`/api/products/${oldProduct['id']}`)
      assert.deepEqual(read.body, { ...oldProduct, sku: null })
      const query = '{ products(where: { sku: { startsWith: "OAK" } }) { id sku } }'
      const { body } = await user.post('/graphql', { query })
      assert.deepEqual(body, { data: { products: [{ id: made.body.id, sku: 'OAK-1' }] } })
      const { body: description } = await service.anonymous.get('/swagger/v1/swagger.json')
      for (const name of ['Product', 'ProductInput', 'ProductUpdate', 'ProductChange'])
        assert.ok('sku' in description.components.schemas[name].properties, name)
    })

    it('of orders', async () => {
      const { user, oldProduct, oldOrder, service } = scene
      const items = [{ productId: oldProduct['id'], quantity: 2 }]
      const made = await user.post('/api/orders', { customerId: 'customer-2', note: 'Ring twice', items })
      assert.deepEqual([made.status, made.body.note], [201, 'Ring twice'], made.text)
      assert.deepEqual((await user.get(`/api/orders/${made.body.id}`)).body, made.body)
      const path = `/api/orders/${oldOrder['id']}`
      const read = await user.get(path)
      assert.deepEqual(read.body, { ...oldOrder, note: null })

      const changed = await user.put(path, { note: 'At the back door' })
      assert.deepEqual([changed.status, changed.body.note], [200, 'At the back door'], changed.text)
      const kept = await user.put(path, { currency: 'EUR' })
      assert.deepEqual(
        [kept.body.note, kept.body.currency, kept.body.items],
        ['At the back door', 'EUR', oldOrder['items']],
      )
      const paid = await user.post(`/api/orders/${made.body.id}/pay`, {})
      assert.deepEqual([paid.body.status, paid.body.note], ['PAID', 'Ring twice'], paid.text)

      const listed = await user.get('/api/orders?fields=customerId,note&sort=note')
      assert.deepEqual(listed.body, [
        { note: 'At the back door', customerId: 'customer-1' },
        { note: 'Ring twice', customerId: 'customer-2' },
      ])
      const query = '{ orders(where: { note: { startsWith: "Ring" } }) { nodes { id note } } }'
      const { body } = await user.post('/graphql', { query })
      assert.deepEqual(body.data.orders.nodes, [{ id: made.body.id, note: 'Ring twice' }])
      const input = { customerId: 'customer-3', note: 'No hurry', items }
      const mutation = 'mutation ($input: CreateOrderInput!) { createOrder(input: $input) { note } }'
      const created = await user.post('/graphql', { query: mutation, variables: { input } })
      assert.deepEqual(created.body, { data: { createOrder: { note: 'No hurry' } } })
      const { body: description } = await service.anonymous.get('/swagger/v1/swagger.json')
      for (const name of ['Order', 'OrderInput', 'OrderUpdate'])
        assert.ok('note' in description.components.schemas[name].properties, name)
    })
  })
})

const ofProducts = [
  'catalog/migrations/0003-product-add-sku.sql',
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
    ...{ oldProduct, oldOrder: body, service },
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
