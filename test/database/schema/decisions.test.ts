/** Nothing is guessed: what the definitions do not say is asked. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isEmpty } from '../../../src/database/schema/change.ts'
import { compareTables } from '../../../src/database/schema/compare.ts'
import { nameOfChange } from '../../../src/database/schema/describe.ts'
import type { Table } from '../../../src/database/table.ts'
import { decide } from './project.ts'
import { column, optional, table } from './tables.ts'

const note = table('note', [column('title', 'key'), optional('size', 'integer')])

describe('The comparison of tables', () => {
  it('asks whether a column was renamed or dropped, and names what may be its new name', () => {
    const to = table('note', [
      column('name', 'key'),
      column('text', 'text'),
      column('open', 'boolean'),
      optional('size', 'integer'),
    ])
    assert.deepEqual(asked([note], [to]), [
      {
        text: 'note.title is gone.',
        answers: ['--rename note.title=note.name', '--rename note.title=note.text', '--drop note.title'],
      },
    ])
  })

  it('asks the same of a table', () => {
    const to = [{ ...note, name: 'memo' }, table('other', [])]
    assert.deepEqual(asked([note], to), [
      { text: 'note is gone.', answers: ['--rename note=memo', '--rename note=other', '--drop note'] },
    ])
  })

  it('asks for a permission by name before it loses anything', () => {
    assert.deepEqual(asked([note], []), [{ text: 'note is gone.', answers: ['--drop note'] }])
    const narrower = table('note', [column('title', 'integer', { initial: 0 }), optional('size', 'integer')])
    assert.deepEqual(asked([note], [narrower]), [
      {
        text: 'note.title changes to a kind that cannot keep its values.',
        answers: ['--drop note.title'],
      },
    ])
    assert.deepEqual(asked([note], [table('note', [])], '--drop', 'note.title'), [
      { text: 'note.size is gone.', answers: ['--drop note.size'] },
    ])
  })

  it('asks for the value of existing rows, and only of those', () => {
    const text = (name: string) =>
      `note.${name} may not be null and has no default: existing rows need a value.`
    const more = table('note', [column('title', 'key'), column('size', 'integer'), column('due', 'date')])
    assert.deepEqual(asked([note], [more]), [
      { text: text('due'), answers: ['--fill note.due=<value>'] },
      { text: text('size'), answers: ['--fill note.size=<value>'] },
    ])
    assert.deepEqual(asked([], [more]), [])
  })

  const faulty: [fill: string, expected: string][] = [
    ['size=3.5', 'a whole number'],
    ['size=0', 'at least 1'],
    ['size=10', 'at most 9'],
    ['level=middle', 'one of low, high'],
    ['due=2026-02-30', 'a date like 2026-01-31'],
    ['at=2026-01-31', 'a moment like 2026-01-31T12:00:00.000Z'],
    ['open=yes', 'true or false'],
    ['price=1.23456', 'an amount like 19.99'],
    ['by=me', 'a UUID in lower case'],
    ['tags={', 'JSON'],
  ]
  for (const [fill, expected] of faulty) {
    it(`refuses the value ${fill}`, () => {
      const columns = [
        column('size', 'integer', { min: 1, max: 9, initial: 1 }),
        column('level', 'key', { values: ['low', 'high'], initial: 'low' }),
        column('due', 'date', { initial: '2026-01-01' }),
        column('at', 'timestamp', { initial: '2026-01-01T00:00:00.000Z' }),
        column('open', 'boolean', { initial: true }),
        column('price', 'price', { initial: 1 }),
        column('by', 'id', { initial: '' }),
        column('tags', 'json', { initial: '[]' }),
      ]
      const to = table('note', columns)
      assert.deepEqual(asked([table('note', [])], [to], '--fill', `note.${fill}`), [
        { text: `--fill note.${fill}: the value must be ${expected}.`, answers: [] },
      ])
    })
  }

  it('refuses decisions on what does not change', () => {
    const words = ['--rename', 'note.titel=note.name', '--drop', 'nota', '--fill', 'note.size=1']
    assert.deepEqual(asked([note], [note], ...words), [
      { text: '--rename note.titel=note.name: there is no such change.', answers: [] },
      { text: '--drop nota: there is no such change.', answers: [] },
      { text: '--fill note.size: there is no such change.', answers: [] },
    ])
    const to = table('note', [column('title', 'key'), column('open', 'boolean', { initial: true })])
    const questions = asked([note], [to], '--rename', 'note.size=note.open')
    assert.deepEqual(
      questions.map(({ text }) => text),
      ['note.size is gone.', '--rename note.size=note.open: there is no such change.'],
    )
  })

  it('refuses another primary key', () => {
    assert.deepEqual(asked([note], [{ ...note, key: ['title', 'id'] }]), [
      { text: 'note: the primary key of a table cannot change. Create another table.', answers: [] },
    ])
  })

  it('finds no difference in another order, and in the value of existing rows alone', () => {
    const other = table('other', [])
    const turned = {
      ...note,
      columns: note.columns.toReversed().map((each) => ({ ...each, initial: 'x' })),
    }
    assert.ok(isEmpty(compareTables([note, other], [other, turned]).change))
  })

  const line = table('note_line', [column('note_id', 'id')], {
    foreignKeys: [{ column: 'note_id', table: 'note', cascades: true }],
  })
  const named: [name: string, from: Table[], to: Table[], ...decisions: string[]][] = [
    ['create-note', [], [note, line]],
    ['create-note-other', [], [note, line, table('other', [])]],
    ['create-4-tables', [], ['a', 'b', 'c', 'd'].map((name) => table(name, []))],
    ['drop-note', [note, line], [], '--drop', 'note', '--drop', 'note_line'],
    ['rename-note-to-memo', [note], [{ ...note, name: 'memo' }], '--rename', 'note=memo'],
    ['note-add-due-on', [note], [table('note', [...note.columns.slice(1, -1), optional('due_on', 'date')])]],
    ['note-drop-size', [note], [table('note', [column('title', 'key')])], '--drop', 'note.size'],
    [
      'note-rename-size-to-length',
      [note],
      [table('note', [column('title', 'key'), optional('length', 'integer')])],
      ...['--rename', 'note.size=note.length'],
    ],
    ['change-note', [note], [table('note', [column('title', 'text'), optional('size', 'integer')])]],
    ['change-tables', [note], [table('other', [])], '--drop', 'note'],
  ]
  for (const [name, from, to, ...words] of named) {
    it(`names a change ${name}`, () => {
      const { change, questions } = compareTables(from, to, decide(...words))
      assert.deepEqual(questions, [])
      assert.equal(nameOfChange(change), name)
    })
  }
})

function asked(from: readonly Table[], to: readonly Table[], ...words: string[]) {
  const { questions } = compareTables(from, to, decide(...words))
  return questions.map(({ text, answers }) => ({ text, answers: answers.map(({ argument }) => argument) }))
}
