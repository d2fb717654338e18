/** What callers read of a model: one model, and so one statement, for all who read the same. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readableModel, requireReadable, UnreadableMember } from '../../../src/database/read/readable.ts'
import { RowReach } from '../../../src/database/row-reach.ts'
import { entity, integer, many, reference, text } from '../../../src/index.ts'

const plain = entity('plain', { fields: { name: text() } })
const ruled = entity('ruled', {
  fields: {
    name: text(),
    note: text(),
    size: integer(),
    plain: reference(plain),
    parts: many({ cost: integer() }),
  },
  access: {
    fields: {
      note: { read: 'ruled:note' },
      plain: { read: 'ruled:note' },
      'parts.cost': { read: 'ruled:cost' },
    },
  },
})

function callerWith(...permissions: string[]): RowReach {
  const held = new Set(permissions)
  const caller = {
    id: null,
    actorId: null,
    customer: null,
    attribute: () => [],
    may: (permission: string) => held.has(permission),
  }
  return new RowReach(new Map(), caller, true)
}

describe('What a caller reads of a model', () => {
  it('is the model itself where nothing is hidden', () => {
    assert.equal(readableModel(plain.model, callerWith()), plain.model)
    assert.equal(readableModel(ruled.model, null), ruled.model)
    assert.equal(readableModel(ruled.model, callerWith('ruled:note', 'ruled:cost')), ruled.model)
  })

  it('is one model for all who read the same', () => {
    const view = readableModel(ruled.model, callerWith('ruled:cost'))
    assert.equal(readableModel(ruled.model, callerWith('ruled:cost', 'other:read')), view)
    assert.notEqual(readableModel(ruled.model, callerWith()), view)
    assert.deepEqual([...view.fields.keys()], ['id', 'name', 'size', 'createdAt', 'updatedAt'])
    assert.deepEqual([...view.relations.keys()], ['parts'])
    const none = readableModel(ruled.model, callerWith())
    assert.deepEqual([...(none.relations.get('parts')?.entity.fields.keys() ?? [])], [])
  })

  it('is required of everything that a statement names', () => {
    const field = (name: string) => {
      const found = ruled.model.fields.get(name)
      assert.ok(found)
      return found
    }
    const relation = ruled.model.relations.get('plain')
    assert.ok(relation)
    const everywhere = [
      { fields: [field('note')] },
      { order: [{ path: [], field: field('note'), descending: false }] },
      { order: [{ path: [relation], field: field('name'), descending: false }] },
      { selections: [[{ kind: 'field', as: 'n', field: field('note') }]] },
      { selections: [[{ kind: 'relation', as: 'plain', relation, selection: [] }]] },
      { filter: { kind: 'not', part: { kind: 'and', parts: [{ kind: 'isNull', field: field('note') }] } } },
    ] as const
    for (const names of everywhere) {
      assert.throws(() => requireReadable(callerWith('ruled:cost', 'plain:read'), names), UnreadableMember)
      assert.doesNotThrow(() => requireReadable(callerWith('ruled:note', 'plain:read'), names))
      assert.doesNotThrow(() => requireReadable(null, names))
    }
    const sorted = {
      order: [
        { path: [relation], field: plain.model.fields.get('name') ?? field('name'), descending: false },
      ],
    }
    assert.throws(() => requireReadable(callerWith('ruled:note'), sorted), UnreadableMember)
    assert.doesNotThrow(() => requireReadable(callerWith(), { fields: [field('name')] }))
  })
})
