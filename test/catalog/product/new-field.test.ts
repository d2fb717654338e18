/** A field is added to products as a contributor adds it: with a line of `src` and a command. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { emptyDatabase } from '../../support/database/empty-database.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { changedSources, copyOfProject } from '../../support/process/project-copy.ts'
import { Workplace } from '../../support/process/workplace.ts'

const definition = 'catalog/product/product.ts'
const line = "  sku: text({ max: 40, pattern: '[A-Z0-9-]+' }).optional(),\n"

onEachDatabase('A new field of products', (database) => {
  it('takes one line and the migration that the command writes', async () => {
    await using place = new Workplace()
    const { settings, drop } = await emptyDatabase(database)
    const before = await place.serve(settings)
    const { authorization } = await createAdmin(before)
    const old = await before.anonymous
      .with({ authorization })
      .post('/api/products', { name: 'Walnut desk', price: 10 })
    assert.equal(old.status, 201, old.text)
    await before.stop()

    const copy = copyOfProject(place.folder)
    const text = readFileSync(join(copy, 'src', definition), 'utf8')
    writeFileSync(join(copy, 'src', definition), text.replace('  price: money(),\n', `$&${line}`))
    const command = [process.execPath, join(copy, 'src/main.ts')]
    const { code, stdout, stderr } = await place.run(['migrate', 'diff'], { command })
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(
      stdout,
      /^product: add sku\nWritten: \S+\/0003-product-add-sku\.sql and the snapshot beside it\./,
    )
    assert.deepEqual(changedSources(copy), [
      'catalog/migrations/0003-product-add-sku.sql',
      'catalog/migrations/snapshot.json',
      definition,
    ])

    const after = await place.serve(settings, [...command, 'serve'])
    const user = after.anonymous.with({ authorization })
    const made = await user.post('/api/products', { name: 'Oak desk', price: 10, sku: 'OAK-1' })
    assert.deepEqual([made.status, made.body.sku], [201, 'OAK-1'], made.text)
    const listed = await user.get('/api/products?fields=name,sku')
    assert.deepEqual(listed.body, [
      { name: 'Walnut desk', sku: null },
      { name: 'Oak desk', sku: 'OAK-1' },
    ])
    const read = await user.get(`/api/products/${old.body.id}`)
    assert.deepEqual(read.body, { ...old.body, sku: null })
    const query = '{ products(where: { sku: { startsWith: "OAK" } }) { id sku } }'
    const { body } = await user.post('/graphql', { query })
    assert.deepEqual(body, { data: { products: [{ id: made.body.id, sku: 'OAK-1' }] } })
    const { body: description } = await user.get('/swagger/v1/swagger.json')
    for (const name of ['Product', 'ProductInput', 'ProductUpdate', 'ProductChange'])
      assert.ok('sku' in description.components.schemas[name].properties, name)
    await after.stop()
    await drop()
  })
})
