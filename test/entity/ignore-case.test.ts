/** Text whose case does not matter: constraints, filters and searches match what Unicode does. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, text } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { startService, type TestService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const street = entity('street', {
  fields: { name: text({ ignoreCase: true }), note: text() },
  unique: [['name']],
  search: ['name'],
})

const alike = [
  ['STRAẞE', 'strasse', 'straße', 'ſtraſſe'],
  ['ΐ', 'Ϊ́', '\u03b9\u0308\u0301', '\u1fd3'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος', 'σίσυφοσ'],
  ['ﬃ', 'FFI', 'ﬀi'],
  ['É', 'e\u0301', 'E\u0301'],
  ['ᾳ', 'ΑΙ', '\u03b1\u0345'],
  ['İ', 'i\u0307', 'I\u0307'],
  ['K', 'k', '\u212a'],
  ['Ꭰ', 'ꭰ'],
  ['\ua7ce', '\ua7cf'],
] as const

onEachDatabase('Text without regard to case', (database) => {
  let service: TestService
  let user: Client
  before(async () => {
    service = await startService(database, {}, { features: migrated([street]) })
    user = (await service.newTenant()).user
  })
  after(() => service.stop())

  const found = async (parameter: string, value: string) =>
    (await user.get(`/api/streets?${new URLSearchParams({ [parameter]: value })}`)).body.map(
      ({ name }: { name: string }) => name,
    )

  for (const [first, ...others] of alike)
    it(`is one text as ${[first, ...others].join(', ')}`, async () => {
      const made = await user.post('/api/streets', { name: first, note: first })
      assert.equal(made.status, 201, made.text)
      for (const other of [first, ...others]) {
        assertError(await user.post('/api/streets', { name: other, note: '-' }), 400, /^name: /)
        for (const parameter of ['name[ieq]', 'name[istartsWith]', 'note[ieq]', 'search'])
          assert.deepEqual(await found(parameter, other), [first], `${parameter} ${other}`)
        const query = 'query ($name: String) { streets(where: { name: { ieq: $name } }) { nodes { name } } }'
        const { body } = await user.post('/graphql', { query, variables: { name: other } })
        assert.deepEqual(body.data.streets.nodes, [{ name: first }])
      }
      await user.delete(`/api/streets/${made.body.id}`)
    })

  it('is two texts with and without a dot, which is no matter of case', async () => {
    for (const name of ['ISPARTA', 'ısparta'])
      assert.equal((await user.post('/api/streets', { name, note: '-' })).status, 201)
    assert.deepEqual(await found('name[ieq]', 'isparta'), ['ISPARTA'])
  })
})
