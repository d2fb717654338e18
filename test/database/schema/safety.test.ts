/** What a migration must not touch: rows that it cannot keep, rows of other features, and tenants that are moved. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { ConstraintViolation, type Database, type Row } from '../../../src/database/executor.ts'
import { migrate } from '../../../src/database/migrate/apply.ts'
import { type Migration, MigrationFailed } from '../../../src/database/migration.ts'
import { moveMigration } from '../../../src/database/relocation.ts'
import { creationOf, type Table } from '../../../src/database/table.ts'
import { installCapture } from '../../../src/operations/rows/capture.ts'
import { tenantTables } from '../../../src/operations/rows/shape.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { decide, EmptyDatabases, insert, Project, rowsOf } from './project.ts'
import { column, idOf, optional, row, table } from './tables.ts'

const note = table('note', [column('title', 'key'), optional('size', 'integer')])
const narrow = table('note', [column('title', 'key'), optional('size', 'integer', { max: 5 })])
const short = table('note', [column('title', 'key')])
const mark = table('mark', [column('note_id', 'id')], {
  foreignKeys: [{ column: 'note_id', table: 'note', cascades: true }],
})
/** Of a feature that creates its tables itself. */
const markMigration: Migration = {
  name: 'mark-0001',
  database: 'tenant',
  statements: (types, dialect) => creationOf(mark, types, dialect),
}
const rows = [{ ...row(1), title: 'A', size: 9 }]
const marks = [{ ...row(11), note_id: idOf(1) }]

onEachDatabase('A migration that is written', (name) => {
  let databases: EmptyDatabases
  let database: Database
  let project: Project
  before(async () => {
    databases = await EmptyDatabases.on(name)
  })
  after(() => databases.close())
  beforeEach(async () => {
    database = await databases.next()
    project = new Project()
    project.write([note])
    await project.apply(database)
    await insert(database, 'note', rows)
  })

  it('leaves everything as it was if rows violate a check, and is done when they are corrected', async () => {
    using _project = project
    project.write([narrow])
    await assert.rejects(project.apply(database), MigrationFailed)
    assert.deepEqual(await rowsOf(database, note), sorted(rows))
    await change('UPDATE note SET size = 5')
    assert.deepEqual(await project.apply(database), ['0002-change'])
    await assert.rejects(change('UPDATE note SET size = 6'), ConstraintViolation)
  })

  it('keeps rows of other features that refer to a table, and their foreign keys', async () => {
    using _project = project
    await migrate(database, [markMigration])
    await insert(database, 'mark', marks)
    project.write([short], decide('--drop', 'note.size'))
    const stray = insert(database, 'mark', [{ ...row(12), note_id: idOf(404) }])
    const [refused] = await Promise.allSettled([stray, project.apply(database)])
    assert.equal(refused.status, 'rejected')
    assert.deepEqual(await rowsOf(database, mark), sorted(marks))
    await assert.rejects(insert(database, 'mark', [{ ...row(12), note_id: idOf(404) }]), ConstraintViolation)
    await change("DELETE FROM note WHERE title = 'A'")
    assert.deepEqual(await rowsOf(database, mark), [])
  })

  it('does not drop a table to which rows of other features refer', async () => {
    using _project = project
    await migrate(database, [markMigration])
    await insert(database, 'mark', marks)
    project.write([], decide('--drop', 'note'))
    await assert.rejects(project.apply(database), MigrationFailed)
    assert.deepEqual(await rowsOf(database, mark), sorted(marks))
    assert.deepEqual(await rowsOf(database, note), sorted(rows))
  })

  it('follows the changes of a tenant that is moved', async () => {
    using _project = project
    await migrate(database, [moveMigration])
    await installCapture(database, await tenantTables(database.executor), 'acme', new Set())
    const renamed: Table = { ...short, name: 'memo', columns: [...short.columns, column('open', 'boolean')] }
    project.write(
      [renamed],
      decide('--rename', 'note=memo', '--drop', 'note.size', '--fill', 'memo.open=true'),
    )
    await project.apply(database)
    await change("UPDATE memo SET title = 'B'")
    const { rows: noted } = await database.executor.run('SELECT tenant, key FROM move_log', [], false)
    assert.deepEqual(noted.map(({ tenant, key }) => [tenant, JSON.parse(String(key))]).at(-1), [
      'acme',
      [idOf(1)],
    ])
  })

  async function change(sql: string): Promise<void> {
    await database.transaction(async (transaction) => {
      await transaction.run(sql, [], false)
    })
  }
})

function sorted(some: readonly Row[]): Row[] {
  return some.map((each) =>
    Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
}
