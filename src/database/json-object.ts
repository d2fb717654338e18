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

/** SQLite may be built to accept no more than 127 in one call. */
const maxArguments = 120

/** Calls of `concat`: one costs a fifth less than `format`, and half as much as the operator `||`. */
function sqliteObject(members: readonly JsonMember[]): RawBuilder<string> {
  const parts: RawBuilder<unknown>[] = []
  let text = '{'
  for (const member of members) {
    const { value, quote } = sqliteValue(member)
    parts.push(sql.lit(`${text}"${member.name}":${quote}`), value)
    text = `${quote},`
  }
  parts.push(sql.lit(`${text.slice(0, -1)}}`))
  const calls: RawBuilder<string>[] = []
  for (let from = 0; from < parts.length; from += maxArguments)
    calls.push(sql`concat(${sql.join(parts.slice(from, from + maxArguments))})`)
  return sql`${sql.join(calls, sql` || `)}`
}

interface JsonValue {
  /** Must not be NULL unless the member may be: `concat` and `format` would write an empty text. */
  value: RawBuilder<unknown>
  /** Written before and after the value. */
  quote: '"' | ''
}

function sqliteValue({ value, kind, isNullable }: JsonMember): JsonValue {
  switch (kind) {
    case 'json':
    case 'integer':
      return { value: isNullable ? sql`coalesce(${value}, 'null')` : value, quote: '' }
    case 'boolean':
      return { value: sql`case ${value} when 1 then 'true' when 0 then 'false' else 'null' end`, quote: '' }
    case 'decimal': {
      // Amounts have at most 15 digits. By default SQLite prints 17 of a double (99999999999.999893), and 0 for NULL.
      const printed = sql`format('%.15g', ${value})`
      const text = isNullable ? sql`case when ${value} is null then 'null' else ${printed} end` : printed
      return { value: text, quote: '' }
    }
    case 'uuid':
    case 'date':
    case 'timestamp':
      return isNullable
        ? { value: sql`coalesce('"' || ${value} || '"', 'null')`, quote: '' }
        : { value, quote: '"' }
    case 'text':
    case 'enum':
      return { value: sql`json_quote(${value})`, quote: '' }
  }
}

/** PostgreSQL takes no more than 100 arguments in one call, of which the template is one. */
const maxFormatted = 99

/** Calls of `format`: one costs a tenth less than `concat`, or than the operator `||`. */
function postgresObject(members: readonly JsonMember[]): RawBuilder<string> {
  const calls: RawBuilder<string>[] = []
  for (let from = 0; from < members.length; from += maxFormatted) {
    const written = members.slice(from, from + maxFormatted).map((member, index) => {
      const { value, quote } = postgresValue(member)
      return { text: `${from + index === 0 ? '{' : ','}"${member.name}":${quote}%s${quote}`, value }
    })
    const template = written.map(({ text }) => text).join('')
    const end = from + maxFormatted < members.length ? '' : '}'
    calls.push(sql`format(${sql.lit(template + end)}, ${sql.join(written.map(({ value }) => value))})`)
  }
  return sql`${sql.join(calls, sql` || `)}`
}

function postgresValue(member: JsonMember): JsonValue {
  const { value, quote } = postgresText(member)
  if (!member.isNullable) return { value, quote }
  const text = quote === '' ? sql`cast(${value} as text)` : sql`'"' || ${value} || '"'`
  return { value: sql`coalesce(${text}, 'null')`, quote: '' }
}

function postgresText({ value, kind }: JsonMember): JsonValue {
  switch (kind) {
    case 'json':
    case 'integer':
      return { value, quote: '' }
    case 'boolean':
      return { value: sql`cast(${value} as text)`, quote: '' }
    case 'decimal':
      return { value: sql`trim_scale(${value})`, quote: '' }
    case 'uuid':
    case 'date':
      return { value, quote: '"' }
    case 'timestamp':
      return { value: sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`, quote: '"' }
    case 'text':
    case 'enum':
      return { value: sql`to_json(${value})`, quote: '' }
  }
}
