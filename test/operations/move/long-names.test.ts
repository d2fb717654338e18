/** Tables whose names are as long as PostgreSQL permits, and differ only at their ends. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { migrate } from '../../../src/database/migrate/apply.ts'
import { moveMigration } from '../../../src/database/relocation.ts'
import { creationOf } from '../../../src/database/table.ts'
import { installCapture, removeCapture } from '../../../src/operations/rows/capture.ts'
import { readChanges } from '../../../src/operations/rows/move-state.ts'
import { tenantTables } from '../../../src/operations/rows/shape.ts'
import { EmptyDatabases, insert } from '../../database/schema/project.ts'
import { column, idOf, row, table } from '../../database/schema/tables.ts'
import { onEachDatabase } from '../../support/databases.ts'

const start = 'customer_relationship_management_activity'
const tables = [`${start}_entry`, `${start}_version`].map((name) => table(name, [column('title', 'key')]))

onEachDatabase('Changes during a move', (name) => {
  let databases: EmptyDatabases
  before(async () => {
    databases = await EmptyDatabases.on(name)
  })
  after(() => databases.close())

  it('are noted of every table, also of two whose long names begin alike', async () => {
    const database = await databases.next()
    const creation = {
      name: 'activity-0001',
      database: 'tenant',
      statements: (types, dialect) => tables.flatMap((each) => creationOf(each, types, dialect)),
    } satisfies Parameters<typeof migrate>[1][number]
    await migrate(database, [moveMigration, creation])
    const shapes = await tenantTables(database.executor)
    const install = () => installCapture(database, shapes, 'acme', new Set())
    assert.equal(await install(), false)
    assert.equal(await install(), true)
    for (const [index, each] of tables.entries())
      await insert(database, each.name, [{ ...row(index), title: 'A' }])
    const { keys } = await readChanges(database.executor, shapes, 'acme')
    assert.deepEqual(
      tables.map((each) => [...keys].find(([shape]) => shape.name === each.name)?.[1]),
      [[[idOf(0)]], [[idOf(1)]]],
    )
    await removeCapture(database, 'acme')
    assert.equal(await install(), false)
  })
})
