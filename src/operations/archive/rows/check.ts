/** Validates the rows of an archive, before any of them is written anywhere. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TObject } from 'typebox'
import type { SecretBox } from '../../../core/encryption/secret-box.ts'
import { ServiceError } from '../../../core/errors.ts'
import { inputReader } from '../../../core/schema/input.ts'
import type { Executor, Row } from '../../../database/executor.ts'
import { tenantColumn } from '../../../database/scope.ts'
import { quote } from '../../../database/sql-text.ts'
import { pages } from '../../rows/rows.ts'
import type { TableShape } from '../../rows/shape.ts'
import { contentOf, type EncryptedPurposes } from './encrypted.ts'

/** @param place the number of the row in the order of its key @throws ServiceError `invalid` */
export function refuse(table: string, place: number, fault: string): never {
  throw new ServiceError('invalid', `Row ${place} of the table ${table} in the archive: ${fault}.`)
}

/** By the first word of a declared type: the storage classes of values, and a condition in which `$` is the value. */
const storageClasses: Readonly<Record<string, { kinds: readonly string[]; and?: string; must: string }>> = {
  TEXT: { kinds: ['text'], must: 'must be a text' },
  INTEGER: {
    kinds: ['integer'],
    and: `$ BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`,
    must: `must be an integer of at most ${Number.MAX_SAFE_INTEGER}`,
  },
  BOOLEAN: { kinds: ['integer'], and: '$ IN (0, 1)', must: 'must be 0 or 1' },
  DECIMAL: {
    kinds: ['integer', 'real'],
    and: '$ BETWEEN -1e15 AND 1e15',
    must: 'must be a number of at most 15 digits',
  },
  BLOB: { kinds: ['blob'], must: 'must be bytes' },
}

/**
 * Refuses values of another type than that of their column. SQLite stores values of any type in any column, but
 * JavaScript cannot read some of them: the check therefore runs in SQL.
 * @param executor of a SQLite file @throws ServiceError `invalid`
 */
export async function refuseForeignTypes(
  executor: Executor,
  shapes: readonly Pick<TableShape, 'name' | 'primary'>[],
): Promise<void> {
  for (const shape of shapes) {
    const sql = 'SELECT name, type FROM pragma_table_info(?)'
    const { rows: columns } = await executor.run(sql, [shape.name], true)
    for (const { name: column, type } of columns) {
      const stored = storageClasses[/^\w+/.exec(String(type).toUpperCase())?.[0] ?? '']
      if (stored === undefined) continue
      const { kinds, and = 'true', must } = stored
      const value = quote(String(column))
      const allowed = kinds.map((each) => `'${each}'`).join(', ')
      const isAllowed = `typeof(${value}) IN (${allowed}) AND ${and.replaceAll('$', value)}`
      const place = await findRow(executor, shape, `${value} IS NOT NULL AND NOT (${isAllowed})`)
      if (place !== null) refuse(shape.name, place, `${String(column)}: ${must}`)
    }
  }
}

export interface RowCheck {
  shapes: readonly TableShape[]
  /** The schemas of rows, by table. */
  schemas: ReadonlyMap<string, TObject>
  purposes: EncryptedPurposes
  secretBox: SecretBox
  tenant: string
}

/** @param executor of a SQLite file @throws ServiceError `invalid`, which names table, row and column */
export async function refuseInvalidRows(
  executor: Executor,
  { shapes, schemas, purposes, ...check }: RowCheck,
): Promise<void> {
  const { tenant } = check
  for (const shape of shapes) {
    const foreign = await findRow(executor, shape, `${quote(tenantColumn)} IS NOT ?`, [tenant])
    if (foreign !== null) refuse(shape.name, foreign, `${tenantColumn}: must be that of the archive`)
    const schema = schemas.get(shape.name)
    if (schema === undefined) throw new Error(`The table ${shape.name} is not described.`)
    await refuseInvalidValues(executor, { ...check, shape, schema, purposes: purposes.get(shape.name) })
    await refuseMissingParents(executor, shape)
  }
}

interface TableCheck extends Pick<RowCheck, 'secretBox' | 'tenant'> {
  shape: TableShape
  schema: TObject
  /** The purposes of encrypted values, by column. */
  purposes: ReadonlyMap<string, string> | undefined
}

async function refuseInvalidValues(
  executor: Executor,
  { shape, schema, purposes, secretBox, tenant }: TableCheck,
): Promise<void> {
  const read = inputReader(schema)
  const columns = shape.columns.filter((column) => Object.hasOwn(schema.properties, column))
  let place = 0
  for await (const page of pages(executor, shape, tenant)) {
    for (const row of page) {
      place++
      const values = columns.map((column) => [
        column,
        contentOf(row[column], purposes?.get(column), secretBox),
      ])
      const fault = faultOf(read, Object.fromEntries(values))
      if (fault !== null) refuse(shape.name, place, fault)
    }
    await nextTurn() // on SQLite the loop does not yield the thread by itself
  }
}

/** @returns `null` for a row without a fault */
function faultOf(read: (value: unknown) => unknown, row: Row): string | null {
  try {
    read(row)
    return null
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'invalid') return error.message
    throw error
  }
}

/** Checks foreign keys, because whoever wrote the file may have turned the check of SQLite off. */
async function refuseMissingParents(executor: Executor, { name, ...shape }: TableShape): Promise<void> {
  const sql = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq'
  const { rows } = await executor.run(sql, [name], true)
  for (const pairs of Map.groupBy(rows, ({ id }) => id).values()) {
    const parent = String(pairs[0]?.['table'])
    const columns = pairs.map((pair) => String(pair['from']))
    const isNull = columns.map((column) => `c.${quote(column)} IS NULL`).join(' OR ')
    const isSame = pairs.map((pair) => `p.${quote(String(pair['to']))} = c.${quote(String(pair['from']))}`)
    const isMissing = `NOT (${isNull}) AND NOT EXISTS (SELECT 1 FROM ${quote(parent)} AS p WHERE ${isSame.join(' AND ')})`
    const place = await findRow(executor, { name, ...shape }, isMissing)
    const own = columns.filter((column) => column !== tenantColumn).at(-1) ?? tenantColumn
    if (place !== null) refuse(name, place, `${own}: must name a row of ${parent}`)
  }
}

/** @param condition on the row `c` @returns the place of the first such row in the order of its key, or `null` */
export async function findRow(
  executor: Executor,
  { name, primary }: Pick<TableShape, 'name' | 'primary'>,
  condition: string,
  parameters: readonly unknown[] = [],
): Promise<number | null> {
  const table = `${quote(name)} AS c`
  const any = await executor.run(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`, parameters, false)
  if (any.rows.length === 0) return null
  const numbered = `SELECT row_number() OVER (ORDER BY ${primary.map(quote).join(', ')}) AS place, * FROM ${quote(name)}`
  const sql = `SELECT place FROM (${numbered}) AS c WHERE ${condition} ORDER BY place LIMIT 1`
  return Number((await executor.run(sql, parameters, false)).rows[0]?.['place'])
}
