/** Makes the database render a row as a JSON object. */
import { type RawBuilder, sql } from 'kysely'
import type { TSchema } from 'typebox'
import type { Dialect } from './executor.ts'
import { snakeCase } from './sql-text.ts'

/**
 * Renders the members of the schema from the columns of the same names in snake case.
 * @param schema a flat object of strings, numbers and booleans, nullable or not
 */
export function jsonObject(dialect: Dialect, schema: TSchema): RawBuilder<string> {
  const { properties } = schema as unknown as ObjectSchema // callers give object schemas
  const members = Object.entries(properties).map(([name, { type, format }]) => {
    const types = [type].flat()
    const value = sql.ref(snakeCase(name))
    return { name, value, kind: kindOf(types[0] ?? 'string', format), isNullable: types.includes('null') }
  })
  return jsonText(dialect, members)
}

/** The form of a value. `json` is JSON text. */
export type JsonKind =
  | 'text'
  | 'enum'
  | 'uuid'
  | 'timestamp'
  | 'date'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'json'

export interface JsonMember {
  name: string
  value: RawBuilder<unknown>
  kind: JsonKind
  isNullable: boolean
}

/** @param members in the order of the object; their names need no escapes */
export function jsonText(dialect: Dialect, members: readonly JsonMember[]): RawBuilder<string> {
  if (members.length === 0) return sql`'{}'`
  return dialect === 'sqlite' ? sqliteObject(members) : postgresObject(members)
}

interface ObjectSchema {
  properties: Record<string, { type: string | string[]; format?: string }>
}

function kindOf(type: string, format: string | undefined): JsonKind {
  if (type === 'boolean' || type === 'integer') return type
  if (type === 'number') return 'decimal'
  if (format === 'uuid') return 'uuid'
  if (format === 'date') return 'date'
  return format === 'date-time' ? 'timestamp' : 'text'
}

/** The arguments that SQLite accepts in one call. */
const maxFormatArguments = 90

/** One call of `format` costs half as much as concatenation. */
function sqliteObject(members: readonly JsonMember[]): RawBuilder<string> {
  const parts: RawBuilder<string>[] = []
  for (let from = 0; from < members.length; from += maxFormatArguments) {
    const formatted = members
      .slice(from, from + maxFormatArguments)
      .map((member) => [member.name, ...sqliteFormat(member)] as const)
    const text = formatted.map(([name, specifier]) => `"${name}":${specifier}`).join(',')
    const template = `${from === 0 ? '{' : ','}${text}${from + maxFormatArguments < members.length ? '' : '}'}`
    parts.push(sql`format(${sql.lit(template)}, ${sql.join(formatted.map(([, , value]) => value))})`)
  }
  return sql`${sql.join(parts, sql` || `)}`
}

/** @returns the format specifier of a member and its argument */
function sqliteFormat({ value, kind, isNullable }: JsonMember): [string, RawBuilder<unknown>] {
  switch (kind) {
    case 'json':
      return ['%s', isNullable ? sql`coalesce(${value}, 'null')` : value]
    case 'boolean':
      return ['%s', sql`case ${value} when 1 then 'true' when 0 then 'false' else 'null' end`]
    case 'integer':
      return isNullable
        ? ['%s', sql`case when ${value} is null then 'null' else format('%d', ${value}) end`]
        : ['%d', value]
    case 'decimal':
      // Amounts have at most 15 digits. By default SQLite prints 17 of a double (99999999999.999893), and 0 for NULL.
      return isNullable
        ? ['%s', sql`case when ${value} is null then 'null' else format('%.15g', ${value}) end`]
        : ['%.15g', value]
    case 'uuid':
    case 'date':
    case 'timestamp':
      return isNullable ? ['%s', sql`coalesce('"' || ${value} || '"', 'null')`] : ['"%s"', value]
    case 'text':
    case 'enum':
      return ['%s', sql`json_quote(${value})`]
  }
}

function postgresObject(members: readonly JsonMember[]): RawBuilder<string> {
  const parts = members.map((member, index) => {
    const label = sql.lit(`${index === 0 ? '{' : ','}"${member.name}":`)
    return sql`${label} || ${postgresValue(member)}`
  })
  return sql`${sql.join(parts, sql` || `)} || '}'`
}

function postgresValue(member: JsonMember): RawBuilder<unknown> {
  const text = postgresText(member)
  return member.isNullable ? sql`coalesce(${text}, 'null')` : text
}

function postgresText({ value, kind }: JsonMember): RawBuilder<unknown> {
  switch (kind) {
    case 'json':
      return value
    case 'boolean':
    case 'integer':
      return sql`cast(${value} as text)`
    case 'decimal':
      return sql`cast(trim_scale(${value}) as text)`
    case 'uuid':
    case 'date':
      return sql`'"' || cast(${value} as text) || '"'`
    case 'timestamp':
      return sql`to_char(${value} at time zone 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')`
    case 'text':
    case 'enum':
      return sql`cast(to_json(${value}) as text)`
  }
}
