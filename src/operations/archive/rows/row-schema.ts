/** The shape of the rows of a table, which rows of an archive must have. */
import { type TObject, type TSchema, Type } from 'typebox'
import type { StoredTables } from '../../../core/feature/stored-table.ts'
import { hasAtMostFourDecimals, maxAmount, Nullable } from '../../../core/schema/schema.ts'
import { JsonText, StoredId, StoredMoment } from '../../../core/schema/stored.ts'
import { isDay } from '../../../database/date.ts'
import type { Executor } from '../../../database/executor.ts'
import type { Migration } from '../../../database/migration.ts'
import type { ColumnKind } from '../../../database/table.ts'
import { readColumnKinds } from './column-kind.ts'
import type { EncryptedPurposes } from './encrypted.ts'

/** The limit of a text in an index: PostgreSQL refuses more than 2704 bytes there. */
const maxKeyLength = 2048

const schemas: Readonly<Record<Exclude<ColumnKind, 'bytes'>, TSchema>> = {
  id: StoredId,
  text: Type.String(),
  key: Type.String({ maxLength: maxKeyLength }),
  timestamp: StoredMoment,
  date: Type.Refine(Type.String({ maxLength: 10 }), isDay, () => 'must be a day'),
  boolean: Type.Boolean(),
  price: Type.Refine(
    Type.Number({ minimum: -maxAmount, maximum: maxAmount }),
    hasAtMostFourDecimals,
    () => 'must have at most 4 decimals',
  ),
  integer: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  json: JsonText(),
}

/** @returns the schemas of rows by table, in which encrypted columns are decrypted, and other bytes are left out */
export async function readRowSchemas(
  executor: Executor,
  migrations: readonly Migration[],
  { tables, columns, purposes }: StoredTables & { purposes: EncryptedPurposes },
): Promise<Map<string, TObject>> {
  const found = new Map<string, TObject>()
  for (const [table, kinds] of await readColumnKinds(migrations, tables)) {
    const required = await requiredColumns(executor, table)
    const members: Record<string, TSchema> = {}
    for (const [column, kind] of kinds) {
      const isEncrypted = purposes.get(table)?.has(column) === true
      const schema = columns[table]?.[column] ?? schemaOf(kind, isEncrypted)
      if (schema !== null) members[column] = required.has(column) ? schema : Nullable(schema)
    }
    found.set(table, Type.Object(members))
  }
  return found
}

function schemaOf(kind: ColumnKind, isEncrypted: boolean): TSchema | null {
  if (kind !== 'bytes') return schemas[kind]
  return isEncrypted ? schemas.text : null
}

async function requiredColumns(executor: Executor, table: string): Promise<Set<string>> {
  const sql = 'SELECT name FROM pragma_table_info(?) WHERE "notnull" = 1 OR pk > 0'
  return new Set((await executor.run(sql, [table], true)).rows.map(({ name }) => String(name)))
}
