/** One row as a JSON object that the database renders. */
import { type RawBuilder, sql } from 'kysely'
import type { TSchema } from 'typebox'
import type { Dialect } from './executor.ts'
import { snakeCase } from './sql-text.ts'

/**
 * The members of the schema, each from the column of the same name in snake case.
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

/** How a value is written. `json` is text that is JSON already, and never null. */
export type JsonKind = 'text' | 'enum' | 'uuid' | 'timestamp' | 'boolean' | 'decimal' | 'integer' | 'json'

export interface JsonMember {
  name: string
  value: RawBuilder<unknown>
  kind: JsonKind
  isNullable: boolean
}

/** @param members in the order in which they are to stand; their names need no escapes */
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
  return format === 'date-time' ? 'timestamp' : 'text'
}

/** SQLite takes so many arguments in one call. */
const maxFormatArguments = 90

/** One call of `format` costs half of what as many operators do. */
function sqliteObject(members: readonly JsonMember[]): RawBuilder<string> {
  const parts: RawBuilder<string>[] = []
  for (let from = 0; from < members.length; from += maxFormatArguments) {
    const places = members
      .slice(from, from + maxFormatArguments)
      .map((member) => [member.name, ...sqliteFormat(member)] as const)
    const text = places.map(([name, place]) => `"${name}":${place}`).join(',')
    const template = `${from === 0 ? '{' : ','}${text}${from + maxFormatArguments < members.length ? '' : '}'}`
    parts.push(sql`format(${sql.lit(template)}, ${sql.join(places.map(([, , value]) => value))})`)
  }
  return sql`${sql.join(parts, sql` || `)}`
}

/** What stands for a member in the template, and what is put there. */
function sqliteFormat({ value, kind, isNullable }: JsonMember): [string, RawBuilder<unknown>] {
  switch (kind) {
    case 'json':
      return ['%s', value]
    case 'boolean':
      return ['%s', sql`case ${value} when 1 then 'true' when 0 then 'false' else 'null' end`]
    case 'decimal':
    case 'integer':
      // Amounts have 15 digits at most. By itself SQLite prints 17 of a double: 99999999999.999893.
      // And for NULL it prints 0.
      return isNullable
        ? ['%s', sql`case when ${value} is null then 'null' else format('%.15g', ${value}) end`]
        : ['%.15g', value]
    case 'uuid':
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
      return sql`'"' || cast(${value} as text) || '"'`
    case 'timestamp':
      return sql`to_char(${value} at time zone 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')`
    case 'text':
    case 'enum':
      return sql`cast(to_json(${value}) as text)`
  }
}
