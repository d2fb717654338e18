/** Members that the process makes after the read, such as names of users. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Type } from 'typebox'
import { completedText } from '../../../../src/core/completion.ts'
import { type Feature, type ReadModel, readModel, Text, Uuid } from '../../../../src/index.ts'
import { fillWithProducts } from '../../../support/product-rows.ts'
import { startService } from '../../../support/service.ts'

const unreachable = completedText(async () => {
  throw new Error('The names are in a database that is not reachable.')
})

const Named = Type.Object(
  { id: Uuid, name: Text(1, 200), description: Text(0, 2000) },
  { $id: 'NamedProduct' },
)
const stored = readModel(Named, { table: 'product' })
const model: ReadModel = {
  ...stored,
  fields: new Map(
    [...stored.fields].map(([name, field]) => [
      name,
      name === 'name' ? { ...field, completed: unreachable } : field,
    ]),
  ),
}
const feature: Feature = {
  name: 'named',
  graphql: { queries: { namedProducts: { kind: 'list', entity: model, description: 'All of them.' } } },
}

it('A long reply whose members cannot be made is an error, and gives back its memory', async () => {
  const service = await startService('sqlite', {}, { features: [feature] })
  try {
    const tenant = await service.newTenant()
    await fillWithProducts(service, tenant, 100)
    const ask = (members: string) =>
      tenant.user.post('/graphql', { query: `{ namedProducts { ${members} } }` })
    const without = await ask('id description')
    assert.ok(without.text.length > 100_000, 'the reply is long enough to be counted')
    assert.equal((await ask('name description')).status, 500)
    const { text } = await service.anonymous.get('/metrics')
    assert.match(text, /^reply_memory_bytes 0$/m)
  } finally {
    await service.stop()
  }
})
