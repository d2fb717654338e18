/** A field is added to orders as a contributor adds it: with a line, and a migration. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { emptyDatabase } from '../support/database/empty-database.ts'
import { onEachDatabase } from '../support/databases.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { changedSources, copyOfProject } from '../support/process/project-copy.ts'
import { Workplace } from '../support/process/workplace.ts'

const declaration = 'orders/schema.ts'
const line = "  note: text({ max: 200, examples: ['At the back door'] }).optional(),\n"
const migration = 'orders/migration.ts'
const written = `  {
    name: 'order-0002',
    database: 'tenant',
    statements: (t) => [\`ALTER TABLE sales_order ADD COLUMN note \${t.text}\`],
  },
`

onEachDatabase('A new field of orders', (database) => {
  it('takes one line and its migration', async () => {
    await using place = new Workplace()
    const { settings, drop } = await emptyDatabase(database)
    const before = await place.serve(settings)
    const { authorization } = await createAdmin(before)
    const first = before.anonymous.with({ authorization })
    const { body: product } = await first.post('/api/products', { name: 'Walnut desk', price: 10 })
    const items = [{ productId: product.id, quantity: 2 }]
    const old = await first.post('/api/orders', { customerId: 'customer-1', items })
    assert.equal(old.status, 201, old.text)
    await before.stop()

    const copy = copyOfProject(place.folder)
    change(copy, declaration, (text) => text.replace('\nconst fields = {\n', `$&${line}`))
    change(copy, migration, (text) => text.replace(/\n\]\n$/, `\n${written}]\n`))
    assert.deepEqual(changedSources(copy), [migration, declaration])

    const after = await place.serve(settings, [process.execPath, join(copy, 'src/main.ts'), 'serve'])
    const user = after.anonymous.with({ authorization })
    const made = await user.post('/api/orders', { customerId: 'customer-2', note: 'Ring twice', items })
    assert.deepEqual([made.status, made.body.note], [201, 'Ring twice'], made.text)
    assert.deepEqual((await user.get(`/api/orders/${made.body.id}`)).body, made.body)
    const read = await user.get(`/api/orders/${old.body.id}`)
    assert.deepEqual(read.body, { ...old.body, note: null })

    const changed = await user.put(`/api/orders/${old.body.id}`, { note: 'At the back door' })
    assert.deepEqual([changed.status, changed.body.note], [200, 'At the back door'], changed.text)
    const kept = await user.put(`/api/orders/${old.body.id}`, { currency: 'EUR' })
    assert.deepEqual(
      [kept.body.note, kept.body.currency, kept.body.items],
      ['At the back door', 'EUR', old.body.items],
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
    const { body: description } = await user.get('/swagger/v1/swagger.json')
    for (const name of ['Order', 'OrderInput', 'OrderUpdate'])
      assert.ok('note' in description.components.schemas[name].properties, name)
    await after.stop()
    await drop()
  })
})

function change(copy: string, path: string, changed: (text: string) => string): void {
  const file = join(copy, 'src', path)
  writeFileSync(file, changed(readFileSync(file, 'utf8')))
}
