/** The numbers of a sequence stay with its rows, and the next number is one that no row has. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Row } from '../../../src/database/executor.ts'
import type { Column, Table } from '../../../src/database/table.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { decide, EmptyDatabases, insert, Project, rowsOf } from './project.ts'
import { column, row, table } from './tables.ts'

const plain = table('note', [])
const counter: Pick<Table, 'name' | 'columns' | 'key'> = {
  name: 'sequence',
  columns: [column('name', 'key'), column('last', 'integer')],
  key: ['name'],
}

onEachDatabase('A sequence', (name) => {
  let databases: EmptyDatabases
  before(async () => {
    databases = await EmptyDatabases.on(name)
  })
  after(() => databases.close())

  const cases: [title: string, from: Table, to: Table, words: string[], numbers: Row[], counted: Row[]][] = [
    [
      'that is new numbers the rows of each tenant in the order of their creation',
      plain,
      numbered('note'),
      [],
      [
        { tenant_id: 'acme', number: 3 },
        { tenant_id: 'acme', number: 1 },
        { tenant_id: 'acme', number: 2 },
        { tenant_id: 'other', number: 1 },
      ],
      [
        { tenant_id: 'acme', name: 'note.number', last: 3 },
        { tenant_id: 'other', name: 'note.number', last: 1 },
      ],
    ],
    [
      'that was an integer goes on after the largest',
      table('note', [column('number', 'integer', { initial: 7 })]),
      table('note', [column('number', 'integer', { sequence: 'note.number' })]),
      [],
      [7, 7, 7].map((number) => ({ tenant_id: 'acme', number })).concat([{ tenant_id: 'other', number: 7 }]),
      [
        { tenant_id: 'acme', name: 'note.number', last: 7 },
        { tenant_id: 'other', name: 'note.number', last: 7 },
      ],
    ],
    ['that is dropped is forgotten', numbered('note'), plain, ['--drop', 'note.number'], [], []],
  ]
  for (const [title, from, to, words, numbers, counted] of cases) {
    it(title, async () => {
      using project = new Project()
      const database = await databases.next()
      await start(project, database)
      if (from !== plain) project.write([from])
      await project.apply(database)
      project.write([to], decide(...words))
      await project.apply(database)
      if (numbers.length > 0) assert.deepEqual((await rowsOf(database, to)).map(numberOf), numbers)
      assert.deepEqual(await rowsOf(database, counter), counted)
    })
  }

  it('follows its column and its table to other names', async () => {
    using project = new Project()
    const database = await databases.next()
    await start(project, database)
    project.write([numbered('note')])
    project.write(
      [numbered('memo', 'place')],
      decide('--rename', 'note=memo', '--rename', 'note.number=memo.place'),
    )
    await project.apply(database)
    assert.deepEqual(await rowsOf(database, counter), [
      { tenant_id: 'acme', name: 'memo.place', last: 3 },
      { tenant_id: 'other', name: 'memo.place', last: 1 },
    ])
    project.write([], decide('--drop', 'memo'))
    await project.apply(database)
    assert.deepEqual(await rowsOf(database, counter), [])
  })
})

/** With rows that were not created in the order of their ids. */
async function start(project: Project, database: Awaited<ReturnType<EmptyDatabases['next']>>): Promise<void> {
  project.write([plain])
  await project.apply(database)
  const rows = [row(1), row(2), row(3), row(4, 'other')]
  const days = [3, 1, 2, 1]
  await insert(
    database,
    'note',
    rows.map((each, place) => ({ ...each, created_at: `2026-01-0${days[place]}T00:00:00.000Z` })),
  )
}

function numbered(name: string, field = 'number'): Table {
  const number: Column = column(field, 'integer', { min: 1, sequence: `${name}.${field}` })
  return table(name, [number], { indexes: [{ columns: [field], isUnique: true }] })
}

function numberOf({ tenant_id, number }: Row): Row {
  return { tenant_id, number }
}
