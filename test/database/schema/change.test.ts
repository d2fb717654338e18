/** Each kind of change, with rows in the tables: the tables become what a fresh creation makes, and keep their values. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Database, Row } from '../../../src/database/executor.ts'
import type { Table } from '../../../src/database/table.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { catalogOf } from './catalog.ts'
import { columnCases } from './column-cases.ts'
import { decide, EmptyDatabases, insert, Project, rowsOf } from './project.ts'
import { tableCases } from './table-cases.ts'

onEachDatabase('A migration that is written', (name) => {
  let databases: EmptyDatabases
  before(async () => {
    databases = await EmptyDatabases.on(name)
  })
  after(() => databases.close())

  for (const [title, { from, to, decisions = [], rows, become }] of Object.entries({
    ...tableCases,
    ...columnCases,
  })) {
    it(`makes ${title}`, async () => {
      using project = new Project()
      const database = await databases.next()
      project.write(from)
      await project.apply(database)
      for (const [of, some] of Object.entries(rows)) await insert(database, of, some)
      project.write(to, decide(...decisions))
      assert.equal((await project.apply(database)).length, 1)
      for (const [of, some] of Object.entries(become))
        assert.deepEqual(await stored(database, to, of), sorted(some))
      const changed = await catalogOf(
        database,
        to.map((each) => each.name),
      )
      assert.deepEqual(changed, await freshCatalog(databases, to))
    })
  }
})

async function freshCatalog(databases: EmptyDatabases, tables: readonly Table[]) {
  using project = new Project()
  const database = await databases.next()
  project.write(tables)
  await project.apply(database)
  return catalogOf(
    database,
    tables.map(({ name }) => name),
  )
}

async function stored(database: Database, tables: readonly Table[], name: string): Promise<Row[]> {
  const found = tables.find((each) => each.name === name)
  assert.ok(found)
  return rowsOf(database, found)
}

function sorted(rows: readonly Row[]): Row[] {
  return rows.map((each) =>
    Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
}
