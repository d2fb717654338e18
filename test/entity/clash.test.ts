/** Entities that cannot be in one service keep it from starting. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { entity, type Feature, many, mutation, oneOf, text } from '../../src/index.ts'
import { startService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const title = text()

/** Features that cannot be in one service. */
const clashing: [what: string, features: () => Feature[], reason: RegExp][] = [
  [
    'two entities of one name',
    () => [entity('memo', { fields: { title } }), entity('memo', { fields: { title } })],
    /Two features have the name memo/,
  ],
  [
    'an entity with the name of a built-in one',
    () => migrated([entity('product', { fields: { title } })]),
    /The feature product has the name of a built-in feature \(products\)/,
  ],
  [
    'an entity whose rows have the table of a list of another',
    () => [entity('memo', { fields: { lines: many({ title }) } }), entity('memoLine', { fields: { title } })],
    /Two features declare the table memo_line/,
  ],
  [
    'an enumeration and an entity of one name in GraphQL',
    () =>
      migrated([
        entity('memo', { fields: { state: oneOf('open', 'done') } }),
        entity('memoState', { fields: { title } }),
      ]),
    /The GraphQL type MemoState would be both a row of the table memo_state and the enumeration of open, done|The GraphQL type MemoState would be both the enumeration of open, done and a row of the table memo_state/,
  ],
  [
    'a table that no migration makes',
    () => [entity('memo', { fields: { title } })],
    /No migrations make the tables memo/,
  ],
  [
    'an input of GraphQL without a name',
    () => {
      const memo = entity('memo', { fields: { title } })
      const args = { input: Type.Object({ title: Type.String(), pages: Type.Integer() }) }
      const add = mutation({ entity: memo.model, description: 'Adds a memo.', args, run: async () => '' })
      return [...migrated([memo]), { name: 'adding', graphql: { mutations: { add } } }]
    },
    /An input of GraphQL has no name: give the schema with the members title, pages an \$id/,
  ],
]

describe('A service', () => {
  for (const [what, features, reason] of clashing)
    it(`does not start with ${what}, and says why`, () =>
      assert.rejects(async () => {
        const { stop } = await startService('sqlite', {}, { features: features() })
        await stop()
      }, reason))
})
