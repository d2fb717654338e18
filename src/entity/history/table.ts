/** The tables with the superseded versions of rows, and with the files that these name. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { JsonText } from '../../core/schema/stored.ts'
import type { Table } from '../../database/table.ts'
import type { Names, Shape } from '../definition.ts'
import { hasFiles } from '../row-files.ts'

type OfTable = Pick<Names, 'table'>

export function versionTableOf({ table }: OfTable): string {
  return `${table}_version`
}

export function versionFileTableOf({ table }: OfTable): string {
  return `${table}_version_file`
}

/** @returns the tables, those that others refer to first */
export function historyTablesOf(names: OfTable, shape: Shape): Table[] {
  const versions: Table = {
    name: versionTableOf(names),
    columns: [
      { name: 'row_id', kind: 'id', isNullable: false },
      { name: 'version', kind: 'integer', isNullable: false },
      { name: 'superseded_at', kind: 'timestamp', isNullable: false },
      { name: 'actor_id', kind: 'id', isNullable: true },
      { name: 'impersonator_id', kind: 'id', isNullable: true },
      { name: 'action', kind: 'key', isNullable: false },
      { name: 'restored_from', kind: 'integer', isNullable: true },
      { name: 'deleted_at', kind: 'timestamp', isNullable: true },
      { name: 'row', kind: 'json', isNullable: true },
    ],
    key: ['row_id', 'version'],
    indexes: [
      { columns: ['superseded_at'], isUnique: false },
      { columns: ['deleted_at', 'row_id'], isUnique: false, isPartial: true },
    ],
    foreignKeys: [],
  }
  return hasFiles(shape) ? [versions, filesOf(names)] : [versions]
}

/** The files that versions name. The foreign key keeps such a file from being deleted. */
function filesOf(names: OfTable): Table {
  return {
    name: versionFileTableOf(names),
    columns: [
      { name: 'row_id', kind: 'id', isNullable: false },
      { name: 'version', kind: 'integer', isNullable: false },
      { name: 'file_id', kind: 'id', isNullable: false },
    ],
    key: ['row_id', 'version', 'file_id'],
    indexes: [{ columns: ['file_id'], isUnique: false }],
    foreignKeys: [{ column: 'file_id', table: 'file' }],
  }
}

const version = Type.Integer({ minimum: 1 })

/** What the columns may have in an archive. The values in `row` are validated again when they are restored. */
export function historyColumnsOf(names: OfTable, shape: Shape): ColumnSchemas {
  const row = JsonText(Type.Record(Type.String(), Type.Unknown()))
  const action = Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$' })
  return {
    [versionTableOf(names)]: { version, action, restored_from: version, row },
    ...(hasFiles(shape) && { [versionFileTableOf(names)]: { version } }),
  }
}
