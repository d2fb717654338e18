/** Reads and writes the snapshot: a JSON file with the tables that an application's migrations make. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Column, ColumnKind, Table } from '../table.ts'

const version = 1

/** Writes a line for each column, index and foreign key, so that a diff of two versions shows what changed. */
export function snapshotText(tables: readonly Table[]): string {
  const written = tables.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(tableText)
  return `{\n  "version": ${version},\n  "tables": ${list(written, '  ')}\n}\n`
}

/** @throws Error for a text that is not a snapshot */
export function readSnapshot(text: string): Table[] {
  const value: unknown = JSON.parse(text)
  if (!snapshot.Check(value)) {
    const [first] = snapshot.Errors(value)
    throw new Error(`${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.trim())
  }
  return value.tables
}

function tableText({ name, columns, key, indexes, foreignKeys }: Table): string {
  const deep = '      '
  const members = [
    `"name": ${JSON.stringify(name)}`,
    `"columns": ${list(columns.map(columnText), deep)}`,
    `"key": ${line(key)}`,
    `"indexes": ${list(
      indexes.map(({ columns: own, isUnique, isPartial, isSearch }) =>
        line({ columns: own, isUnique, isPartial: isPartial || undefined, isSearch: isSearch || undefined }),
      ),
      deep,
    )}`,
    `"foreignKeys": ${list(
      foreignKeys.map(({ column, table, cascades }) =>
        line({ column, table, cascades: cascades || undefined }),
      ),
      deep,
    )}`,
  ]
  return `{\n${deep}${members.join(`,\n${deep}`)}\n    }`
}

/** Leaves out the initial value, which is no part of the table. */
function columnText({ name, kind, isNullable, min, max, values, folds, sequence }: Column): string {
  return line({ name, kind, isNullable, min, max, values, folds, sequence })
}

function list(items: readonly string[], indent: string): string {
  return items.length === 0 ? '[]' : `[\n${indent}  ${items.join(`,\n${indent}  `)}\n${indent}]`
}

/** JSON on one line, with blanks. */
function line(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(line).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{ ${members.map(([name, member]) => `${JSON.stringify(name)}: ${line(member)}`).join(', ')} }`
}

const kinds = [
  'id',
  'text',
  'key',
  'timestamp',
  'date',
  'boolean',
  'price',
  'bytes',
  'integer',
  'json',
] as const satisfies readonly ColumnKind[]

const Names = Type.Array(Type.String())
const closed = { additionalProperties: false }

const snapshot = Compile(
  Type.Object({
    version: Type.Literal(version),
    tables: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          columns: Type.Array(
            Type.Object(
              {
                name: Type.String(),
                kind: Type.Enum(kinds),
                isNullable: Type.Boolean(),
                min: Type.Optional(Type.Number()),
                max: Type.Optional(Type.Number()),
                values: Type.Optional(Names),
                folds: Type.Optional(Type.String()),
                sequence: Type.Optional(Type.String()),
              },
              closed,
            ),
          ),
          key: Names,
          indexes: Type.Array(
            Type.Object(
              {
                columns: Names,
                isUnique: Type.Boolean(),
                isPartial: Type.Optional(Type.Boolean()),
                isSearch: Type.Optional(Type.Boolean()),
              },
              closed,
            ),
          ),
          foreignKeys: Type.Array(
            Type.Object(
              { column: Type.String(), table: Type.String(), cascades: Type.Optional(Type.Boolean()) },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
  }),
)
