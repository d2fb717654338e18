/** Long texts in sorts, indexes and cursors; lists and objects in columns. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { entity, json, listOf, reference, text } from '../../src/index.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { startService, type TestService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const owner = entity('owner', { fields: { name: text() } })
const tale = entity('story', {
  fields: {
    title: text(),
    story: text({ max: 2000 }).optional(),
    owner: reference(owner).optional(),
    tags: listOf(text(), 5).default([]),
    extra: json(Type.Record(Type.String(), Type.Unknown())).optional(),
  },
})
/** With the longest texts that indexes have. */
const shelf = entity('shelf', {
  plural: 'shelves',
  fields: { label: text({ max: 625 }), code: text({ max: 416, ignoreCase: true }) },
  sort: ['label'],
  unique: [['code']],
})

onEachDatabase('Long values', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { features: migrated([owner, tale, shelf]) })
  })
  after(() => service.stop())

  it('are sorted by the longest texts that a definition allows, whatever the texts', async () => {
    const { user: writer } = await service.newTenant()
    // Neither can be compressed, and folding makes three letters of each in the code.
    const label = randomText(625, () => 0x20000 + randomInt(0xa000))
    const code = randomText(416, () => (randomInt(2) === 0 ? 0x0390 : 0x03b0))
    const made = await writer.post('/api/shelves', { label, code })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual((await writer.get('/api/shelves?sort=label')).body, [made.body])
  })

  it('have cursors that they accept, or refuse the sort with the reason', async () => {
    const { user: writer } = await service.newTenant()
    for (const [story, continues] of [
      ['語'.repeat(1900), true],
      ['\u0001'.repeat(2000), false],
    ] as const) {
      for (let count = 0; count < 2; count++) {
        const made = await writer.post('/api/stories', { title: 'Story', story })
        assert.equal(made.status, 201, made.text)
      }
      const first = await writer.get('/api/stories?sort=story,title&limit=1&fields=id')
      if (continues) {
        const next = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
        assert.equal((await writer.get(next)).status, 200)
      } else assertError(first, 400, /^sort: has texts that are too long for a cursor/)
    }
  })

  it('have lists and objects of JSON in GraphQL, in pages of rows and under several names', async () => {
    const { user: writer } = await service.newTenant()
    const { id: ownerId } = (await writer.post('/api/owners', { name: 'Ada' })).body
    const members = { tags: ['a"b', 'ö'], extra: { 'x"y': [1, { z: null }], empty: {} } }
    for (const given of [members, { tags: [], extra: null }]) {
      const made = await writer.post('/api/stories', { title: 'T', ownerId, ...given })
      assert.equal(made.status, 201, made.text)
    }
    const query = '{ owners { nodes { stories { nodes { tags extra again: extra } } } } }'
    const { body } = await writer.post('/graphql', { query })
    assert.deepEqual(body.data.owners.nodes[0].stories.nodes, [
      { ...members, again: members.extra },
      { tags: [], extra: null, again: null },
    ])
    const twice = await writer.post('/graphql', { query: '{ stories { nodes { one: tags other: tags } } }' })
    assert.deepEqual(twice.body.data.stories.nodes, [
      { one: members.tags, other: members.tags },
      { one: [], other: [] },
    ])
  })
})

function randomText(length: number, codePoint: () => number): string {
  return String.fromCodePoint(...Array.from({ length }, codePoint))
}
