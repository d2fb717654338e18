/** Rules of fields that make no sense end the start. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { entity, integer, many, never, reference, reveal, text, user } from '../../src/index.ts'
import { declaredFieldRules } from '../../src/service/declared-field-rules.ts'

const title = text()
const note = text().optional()
const team = entity('team', { fields: { name: text() } })

/** A definition that its types may refuse. */
const task = (options: object) => entity('task', options as never) // tried for what it does

describe('A declaration of rules of fields', () => {
  for (const [what, declare, message] of [
    [
      'a field that there is not',
      () => task({ fields: { title }, access: { fields: { titel: { write: never } } } }),
      /^Error: task: in its rules of fields, titel: there is no such field/,
    ],
    [
      'the id',
      () => task({ fields: { title }, access: { fields: { id: { read: 'task:id' } } } }),
      /fields, id: there is no such field/,
    ],
    [
      'the member of a reference instead of its field',
      () =>
        task({
          fields: { team: reference(team) },
          access: { fields: { teamId: { write: 'once' } } },
        }),
      /fields, teamId: there is no such field/,
    ],
    [
      'a member that the rows of a list do not have',
      () =>
        task({
          fields: { lines: many({ label: title }) },
          access: { fields: { 'lines.price': { read: 'task:price' } } },
        }),
      /fields, lines\.price: there is no such field/,
    ],
    [
      'what is within a member of the rows of a list',
      () =>
        task({
          fields: { lines: many({ label: title }) },
          access: { fields: { 'lines.label.first': { read: 'task:label' } } },
        }),
      /fields, lines\.label\.first: there is no such field/,
    ],
    [
      'a word that is no permission',
      () => task({ fields: { title }, access: { fields: { title: { read: 'internal' } } } }),
      /title: read names a permission/,
    ],
    [
      'a write rule that is none',
      () => task({ fields: { title }, access: { fields: { title: { write: 'twice' } } } }),
      /title: write is a permission, never, or 'once'/,
    ],
    [
      'a computed field that is given once',
      () =>
        entity('task', {
          fields: { title, length: integer().computed() },
          compute: { length: (row) => row.title.length },
          access: { fields: { length: { write: 'once' } } },
        }),
      /length: callers do not write it anyway/,
    ],
    [
      'a field that reveals and is not computed',
      () => entity('task', { fields: { title, note }, access: { fields: { note: { reveals: ['title'] } } } }),
      /note: only a computed field reveals others/,
    ],
    [
      'rows of a list that are written once',
      () =>
        entity('task', {
          fields: { lines: many({ label: title }) },
          access: { fields: { 'lines.label': { write: 'once' } } },
        }),
      /lines\.label: rows of a list are written as a whole/,
    ],
    [
      'a payload with a hidden member',
      () =>
        entity('task', {
          fields: { title, note },
          access: { fields: { note: { read: 'task:internal' } } },
          payload: { created: ['title', 'note'] },
        }),
      /task\.payload\.created: note has a read rule.*reveal\('note'\)/,
    ],
    [
      'a computed field that tells what is hidden',
      () =>
        entity('task', {
          fields: { note: text(), length: integer().computed() },
          compute: { length: (row) => row.note.length },
          access: { fields: { note: { read: 'task:internal' } } },
        }),
      /^Error: task\.length is computed from note, which has another read rule/,
    ],
    [
      'a computed field with another permission than what it tells',
      () =>
        entity('task', {
          fields: { note: text(), length: integer().computed() },
          compute: { length: (row) => row.note.length },
          access: { fields: { note: { read: 'task:internal' }, length: { read: 'task:length' } } },
        }),
      /length is computed from note/,
    ],
    [
      'a computed field that copies the row',
      () =>
        entity('task', {
          fields: { note: text(), length: integer().computed() },
          compute: { length: (row) => JSON.stringify(row).length },
          access: { fields: { note: { read: 'task:internal' } } },
        }),
      /length is computed from note/,
    ],
    [
      'a computed field that tells a member of the rows of a list',
      () =>
        entity('task', {
          fields: { lines: many({ price: integer() }), sum: integer().computed() },
          compute: { sum: (row) => row.lines.reduce((sum, { price }) => sum + price, 0) },
          access: { fields: { 'lines.price': { read: 'task:price' } } },
        }),
      /sum is computed from lines\.price/,
    ],
  ] as const)
    it(`refuses ${what}`, () => assert.throws(declare, message))

  it('refuses a feature that offers an entity without its rules', () => {
    const secret = entity('secret', {
      fields: { note },
      access: { fields: { note: { read: 'secret:read-note' } } },
    })
    const { fieldRules: _rules, ...forgotten } = secret
    assert.throws(
      () => declaredFieldRules([forgotten]),
      /The feature secret has note, but not the fieldRules of its entity/,
    )
    assert.equal(declaredFieldRules([secret]).size, 1)
  })

  it('takes what makes sense', () => {
    const made = entity('task', {
      fields: {
        note: text(),
        owner: user(),
        lines: many({ price: integer(), team: reference(team) }),
        length: integer().computed(),
        shown: integer().computed(),
      },
      compute: { length: (row) => row.note.length, shown: (row) => row.note.length },
      access: {
        fields: {
          note: { read: 'task:internal', write: never },
          owner: { write: 'once' },
          lines: { write: 'task:plan' },
          'lines.teamId': { read: 'task:team' },
          length: { read: 'task:internal' },
          shown: { reveals: ['note'] },
        },
      },
      payload: { created: [reveal('note')] },
    })
    const { payload } = made.events['task.created'] as { payload: { properties?: object } }
    assert.deepEqual(Object.keys(payload.properties ?? {}), ['taskId', 'note'])
    assert.deepEqual(
      [...(made.fieldRules?.get('task') ?? [])],
      [
        ['note', { read: 'task:internal', write: 'never' }],
        ['ownerId', { write: 'once' }],
        ['length', { read: 'task:internal' }],
        ['lines', { write: 'task:plan' }],
        ['lines.teamId', { read: 'task:team' }],
      ],
    )
  })
})
