/**
 * Read models: what the API can read from a table and its related tables. A model is derived from the JSON Schema of
 * the replies, and lists filter, sort and select by it.
 */
import type { RawBuilder } from 'kysely'
import type { TSchema } from 'typebox'
import type { Dialect } from '../executor.ts'
import { snakeCase } from '../sql-text.ts'
import type { TenantTables } from '../tenant-tables.ts'

export type FieldKind =
  | 'uuid'
  | 'text'
  | 'decimal'
  | 'integer'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'enum'
  | 'json'

/** A value that the database derives from columns of a row. */
export interface Derivation {
  readonly columns: readonly string[]
  /** @param column of the row, by its name */
  value(column: (name: string) => RawBuilder<unknown>, dialect: Dialect): RawBuilder<unknown>
}

/**
 * A value that the process makes of a stored one after the read, such as a user's name of an id. Until then a mark
 * takes its place in the text (`mark.ts`).
 */
export interface Completed {
  /** The number of the function that makes the value; marks contain it. */
  readonly number: number
  /** Whether the column contains bytes instead of text. */
  readonly isBytes: boolean
}

export interface ReadField {
  /** The name in the API. */
  name: string
  column: string
  kind: FieldKind
  isNullable: boolean
  /** The maximum size as JSON; text without a limit counts as 10 000 characters. */
  maxBytes: number
  /** The column of the case-folded text; `null` if the text is case-folded when it is compared. */
  caseFoldedColumn: string | null
  /** The values of an `enum`. */
  values: readonly string[]
  description: string | null
  /** Whether the values are ids of users. */
  isUser?: boolean
  /** Whether the values of `json` are lists of texts. */
  isTextList?: boolean
  /** The database makes the value from columns of the row. */
  derived?: Derivation
  /** The process makes the value from that of the database, after the read: lists neither filter nor sort by it. */
  completed?: Completed
  /** The permission that a caller needs to read the member; absent if every caller who reads the row may read it. */
  permission?: string
}

/** At most one row of another table (`one`), or all rows that belong to this row (`many`, ordered by their key). */
export interface Relation {
  name: string
  kind: 'one' | 'many'
  entity: ReadModel
  /** Columns of the related table, each with the column of this table that it equals. */
  on: Readonly<Record<string, string>>
  /** The maximum number of rows of `many`. Without it a row is measured before it is rendered. */
  max?: number
  /** Whether callers read the rows of `many` by page. */
  isPaged?: boolean
  /** For `one`: the name of the opposite relation, from the other row to the rows that refer to it, if there is one. */
  reverse?: string
  /** Who may read the related rows, in the form of a field's `access` in the API; absent: whoever may read the row. */
  access?: string
  /** The permission that a caller needs to read the relation, as for a field. */
  permission?: string
  /**
   * For `one`: whether whoever may read the row may read the other row as well, without a right to read others like
   * it.
   */
  isShown?: boolean
  description: string | null
}

export interface ReadModel {
  /** The name of the type, in the singular. */
  name: string
  description: string | null
  table: keyof TenantTables & string
  /** Identifies a row of the tenant, and is the default order. The columns are never null. */
  key: readonly ReadField[]
  fields: ReadonlyMap<string, ReadField>
  relations: ReadonlyMap<string, Relation>
  /** Orders for which an index exists, each followed by the key. The fields are never null. */
  indexes: readonly (readonly string[])[]
  /** Members with the names of users whose ids are in other members. Only GraphQL has them. */
  userNames?: ReadonlyMap<string, ReadField>
  /** Permissions of which a caller needs one to read rows of this model through a reference; absent: everybody may. */
  readers?: readonly string[]
  /** Whether the rows of the tenant are in the catalogue, beside its users. */
  isInCatalogue?: boolean
  /** Whether the rows of all tenants are read, or those of a table without a tenant. They are in the catalogue. */
  isOfInstallation?: boolean
  /** Whether the key has the order of creation, so that it sorts in place of the time. */
  isKeyedByTime?: boolean
  /** The member with the time of creation; `createdAt` if absent. */
  time?: string
  /** Whether lists begin with the newest row. */
  isNewestFirst?: boolean
  /** The members by which lists may filter and sort; absent: all. A long log allows only those that an index serves. */
  named?: { readonly filters: ReadonlySet<string>; readonly sorts: ReadonlySet<string> }
}

export function mayFilter({ named }: ReadModel, { name, kind, completed }: ReadField): boolean {
  return kind !== 'json' && completed === undefined && named?.filters.has(name) !== false
}

export function maySort({ named }: ReadModel, { name, kind, completed }: ReadField): boolean {
  return kind !== 'json' && completed === undefined && named?.sorts.has(name) !== false
}

export interface ReadModelOptions {
  table: keyof TenantTables & string
  /** The key columns; `id` alone if absent. */
  key?: Readonly<Record<string, FieldKind>>
  relations?: Readonly<Record<string, Omit<Relation, 'name' | 'description'> & { description?: string }>>
  indexes?: ReadModel['indexes']
  /** Members that are stored as JSON text, with their maximum size. */
  json?: Readonly<Record<string, number>>
  /** The columns of case-folded texts, by member. */
  folded?: Readonly<Record<string, string>>
}

/**
 * @param schema an object schema with an `$id`; each scalar member is the column of its name in snake case, and the
 *   other members are relations
 * @throws Error for a member that is neither
 */
export function readModel(
  schema: TSchema,
  { table, key, relations = {}, indexes = [], json = {}, folded = {} }: ReadModelOptions,
): ReadModel {
  const { $id, properties, description } = schema as unknown as ObjectSchema // callers give object schemas
  if ($id === undefined) throw new Error(`The shape of ${table} has no $id.`)
  const flat = Object.entries(properties).filter(([name]) => !Object.hasOwn(relations, name))
  const fields = new Map(
    flat.map(([name, member]) => {
      const jsonBytes = json[name]
      const field = jsonBytes === undefined ? fieldOf($id, name, member) : jsonField(name, member, jsonBytes)
      return [name, { ...field, caseFoldedColumn: folded[name] ?? null }]
    }),
  )
  const related = Object.entries(relations).map(
    ([name, relation]) => [name, { description: null, ...relation, name }] as const,
  )
  return {
    name: $id,
    description: description ?? null,
    table,
    key: Object.entries(key ?? { id: 'uuid' as const }).map(([column, kind]) => columnField(column, kind)),
    fields,
    relations: new Map(related),
    indexes,
  }
}

interface ObjectSchema {
  $id?: string
  description?: string
  properties: Record<string, MemberSchema>
}

interface MemberSchema {
  type?: string | readonly string[]
  format?: string
  enum?: readonly (string | null)[]
  anyOf?: readonly { type?: string }[]
  maxLength?: number
  description?: string
}

/** JSON writes a control character with six bytes. */
const maxBytesPerCharacter = 6
const unboundedCharacters = 10_000
/** The maximum bytes of a number, a timestamp, an id, or a name of an enumeration. */
const maxBytesOfShort = 64

function fieldOf(entityName: string, name: string, member: MemberSchema): ReadField {
  const types = typesOf(member)
  const kind = kindOf(`${entityName}.${name}`, types, member)
  const maxCharacters = member.maxLength ?? unboundedCharacters
  return {
    name,
    column: snakeCase(name),
    kind,
    isNullable: types.includes('null'),
    maxBytes: kind === 'text' ? maxBytesOfText(maxCharacters) : maxBytesOfShort,
    caseFoldedColumn: null,
    values: (member.enum ?? []).filter((value) => value !== null),
    description: member.description ?? null,
  }
}

/** The maximum size of a text as JSON. */
export function maxBytesOfText(maxCharacters: number): number {
  return maxBytesPerCharacter * maxCharacters + 2
}

function jsonField(name: string, member: MemberSchema, maxBytes: number): ReadField {
  return {
    name,
    column: snakeCase(name),
    kind: 'json',
    maxBytes,
    caseFoldedColumn: null,
    values: [],
    isNullable: [member, ...(member.anyOf ?? [])].some(({ type }) => [type].flat().includes('null')),
    description: member.description ?? null,
  }
}

/** `Type.Enum` does not declare the type of its values. */
function typesOf({ type, enum: values }: MemberSchema): readonly string[] {
  if (type !== undefined) return [type].flat()
  return (values ?? []).map((value) => (value === null ? 'null' : typeof value))
}

function kindOf(name: string, types: readonly string[], { format, enum: values }: MemberSchema): FieldKind {
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer')) return 'integer'
  if (types.includes('number')) return 'decimal'
  if (!types.includes('string')) throw new Error(`${name} is neither a column nor a relation.`)
  if (values !== undefined) return 'enum'
  if (format === 'uuid') return 'uuid'
  if (format === 'date') return 'date'
  return format === 'date-time' ? 'timestamp' : 'text'
}

/** @param name other than those of the members @returns a column that rows do not show, for filters */
export function columnField(column: string, kind: FieldKind, name = column): ReadField {
  return {
    name,
    column,
    kind,
    isNullable: false,
    maxBytes: maxBytesOfShort,
    caseFoldedColumn: null,
    values: [],
    description: null,
  }
}

/** A column value as rows have it: ids and timestamps are strings, prices and integers numbers. */
export type Value = string | number | boolean
