/** A backup or an archive is compared with what the migrations make, by the text of each table. */
import assert from 'node:assert/strict'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readMigrations } from '../../../src/database/schema/read-migrations.ts'
import { openSqliteExclusively } from '../../../src/database/sqlite/exclusive-database.ts'
import type { Table } from '../../../src/database/table.ts'
import { entityFeature } from '../../../src/entity/feature.ts'
import { foreignObjects } from '../../../src/operations/archive/rows/foreign.ts'
import { decide, insert, Project } from './project.ts'
import { column, idOf, optional, row, table } from './tables.ts'

describe('A file with the tables of several migrations', () => {
  it('has what the same migrations make in an empty database', async () => {
    using project = new Project()
    using folder = mkdtempDisposableSync(join(tmpdir(), 'tenantry-backup-'))
    const path = join(folder.path, 'test.db')
    const database = openSqliteExclusively(path)
    const page = table('page', [column('note_id', 'id')], {
      foreignKeys: [{ column: 'note_id', table: 'note', cascades: true }],
    })
    project.write([table('note', [column('title', 'key')]), page])
    await project.apply(database)
    await insert(database, 'note', [{ ...row(1), title: 'A' }])
    await insert(database, 'page', [{ ...row(2), note_id: idOf(1) }])
    project.write(
      [table('memo', [column('title', 'text'), optional('size', 'integer')]), toMemo(page)],
      decide('--rename', 'note=memo'),
    )
    await project.apply(database)
    project.write([table('memo', [column('title', 'text')]), toMemo(page)], decide('--drop', 'memo.size'))
    await project.apply(database)
    const { rows } = await database.executor.run('SELECT count(*) AS n FROM page', [], false)
    assert.deepEqual(
      rows.map(({ n }) => n),
      [1],
    )
    await database.close()

    const known = [...(entityFeature.migrations ?? []), ...readMigrations(project.folder).migrations]
    const named = known.map(({ name }) => name)
    assert.deepEqual(
      await foreignObjects(path, { named, known }, { tables: [], allowRuntimeObjects: true }),
      [],
    )
    assert.deepEqual(
      await foreignObjects(
        path,
        { named: named.slice(0, -1), known },
        { tables: [], allowRuntimeObjects: true },
      ),
      ['table memo'],
    )
  })
})

function toMemo(each: Table): Table {
  return { ...each, foreignKeys: each.foreignKeys.map((key) => ({ ...key, table: 'memo' })) }
}
