/** Rows that leave the database as JSON text: a list costs neither row objects nor a second serialisation. */
import { type RawBuilder, sql } from 'kysely'
import type { TSchema } from 'typebox'
import type { Dialect } from './executor.ts'

export interface JsonPage {
  /** The objects, joined by commas, without brackets; `null` for no rows. */
  json: string | null
  count: number
  lastId: string | null
}

/** Sorts before every id. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000'

/**
 * One row as a JSON object: the members of the schema, each from the column of the same name in snake case.
 * @param schema a flat object of strings, numbers and booleans, nullable or not
 */
export function jsonObject(dialect: Dialect, schema: TSchema): RawBuilder<string> {
  const members = Object.entries((schema as unknown as ObjectSchema).properties) // callers give object schemas
  const parts = members.flatMap(([name, member], index) => [
    `${index === 0 ? '{' : ','}"${name}":`,
    ...jsonValue(dialect, sql.ref(snakeCase(name)), member),
  ])
  const joined = joinTexts([...parts, '}']).map((part) => (typeof part === 'string' ? sql.lit(part) : part))
  // One call with many arguments costs SQLite a third less than as many operators.
  return dialect === 'sqlite'
    ? sql<string>`concat(${sql.join(joined)})`
    : sql<string>`${sql.join(joined, sql` || `)}`
}

/** Selects a page from a subquery that gives `id` and `json` of each row, in the order of the ids. */
export function pageColumns() {
  return [
    sql<string | null>`string_agg(json, ',' order by id)`.as('json'),
    sql<number>`count(*)`.as('count'),
    sql<string | null>`max(cast(id as text))`.as('lastId'),
  ] as const
}

/** The same for rows that had to be made into objects first. */
export function rowPage(rows: readonly { id: string }[]): JsonPage {
  const json = rows.length === 0 ? null : rows.map((row) => JSON.stringify(row)).join(',')
  return { json, count: rows.length, lastId: rows.at(-1)?.id ?? null }
}

interface MemberSchema {
  type: string | string[]
  format?: string
}

interface ObjectSchema {
  properties: Record<string, MemberSchema>
}

/** Constant text, or an expression that gives text. */
type Part = string | RawBuilder<unknown>

function jsonValue(dialect: Dialect, column: RawBuilder<unknown>, { type, format }: MemberSchema): Part[] {
  const types = Array.isArray(type) ? type : [type]
  const parts = valueParts(dialect, column, types[0] ?? 'string', format)
  if (!types.includes('null')) return parts
  const value = sql.join(
    parts.map((part) => (typeof part === 'string' ? sql.lit(part) : part)),
    sql` || `,
  )
  return [sql`coalesce(${value}, 'null')`]
}

function valueParts(
  dialect: Dialect,
  column: RawBuilder<unknown>,
  type: string,
  format: string | undefined,
): Part[] {
  const sqlite = dialect === 'sqlite'
  if (type === 'boolean') {
    return [sqlite ? sql`case ${column} when 1 then 'true' else 'false' end` : sql`cast(${column} as text)`]
  }
  // Amounts have 15 digits at most. By itself SQLite prints 17 of a double: 99999999999.999893.
  if (type === 'number')
    return [sqlite ? sql`format('%.15g', ${column})` : sql`cast(trim_scale(${column}) as text)`]
  if (format === 'uuid') return ['"', sqlite ? column : sql`cast(${column} as text)`, '"']
  if (format === 'date-time' && !sqlite) {
    return ['"', sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`, '"']
  }
  if (format === 'date-time') return ['"', column, '"']
  return [sqlite ? sql`json_quote(${column})` : sql`cast(to_json(${column}) as text)`]
}

/** Neighbouring constants become one. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
