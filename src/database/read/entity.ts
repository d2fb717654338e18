/** What can be read of a table and of those that belong to it: derived from the shape that callers get. */
import type { TSchema } from 'typebox'
import { snakeCase } from '../snake-case.ts'
import type { TenantTables } from '../tables.ts'

export type FieldKind = 'uuid' | 'text' | 'decimal' | 'integer' | 'boolean' | 'timestamp' | 'enum'

export interface EntityField {
  /** As callers know it. */
  name: string
  column: string
  kind: FieldKind
  isNullable: boolean
  /** As JSON, at most; what no schema bounds counts as long. */
  maxBytes: number
  /** Of an `enum`. */
  values: readonly string[]
  description: string | null
}

/** A row of another table (`one`, or none), or all that belong to this one (`many`, in the order of their key). */
export interface Relation {
  name: string
  kind: 'one' | 'many'
  entity: Entity
  /** Column of the table that the relation leads to, by the column of this one that it has to equal. */
  on: Readonly<Record<string, string>>
  /** Of `many`: rows of which there are never more. Where none is given, a row is measured before it is rendered. */
  max?: number
  description: string | null
}

export interface Entity {
  /** In the singular: the name of the type. */
  name: string
  description: string | null
  table: keyof TenantTables & string
  /** Names one row of the tenant, and orders all of them; of columns that are never null. */
  key: readonly EntityField[]
  fields: ReadonlyMap<string, EntityField>
  relations: ReadonlyMap<string, Relation>
  /** Orders that the database has an index for, each followed by the key; of fields that are never null. */
  indexes: readonly (readonly string[])[]
}

export interface EntityOptions {
  table: keyof TenantTables & string
  /** Columns, if not `id` alone. */
  key?: Readonly<Record<string, FieldKind>>
  relations?: Readonly<Record<string, Omit<Relation, 'name' | 'description'> & { description?: string }>>
  indexes?: Entity['indexes']
}

/**
 * @param schema an object schema with an `$id`; each flat member stands for the column of its name in snake case, and
 *   a member that is a relation is left to it
 * @throws Error for a member that is neither
 */
export function entity(schema: TSchema, { table, key, relations = {}, indexes = [] }: EntityOptions): Entity {
  const { $id, properties, description } = schema as unknown as ObjectSchema // callers give object schemas
  if ($id === undefined) throw new Error(`The shape of ${table} has no $id.`)
  const flat = Object.entries(properties).filter(([name]) => !Object.hasOwn(relations, name))
  const fields = new Map(flat.map(([name, member]) => [name, fieldOf($id, name, member)]))
  const related = Object.entries(relations).map(
    ([name, relation]) => [name, { description: null, ...relation, name }] as const,
  )
  return {
    name: $id,
    description: description ?? null,
    table,
    key: Object.entries(key ?? { id: 'uuid' as const }).map(([column, kind]) => keyField(column, kind)),
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
  maxLength?: number
  description?: string
}

/** JSON makes six bytes of a control character. */
const maxBytesPerCharacter = 6
const unboundedCharacters = 10_000
/** A number, a timestamp, an id, or a name of an enumeration. */
const maxBytesOfShort = 64

function fieldOf(entityName: string, name: string, member: MemberSchema): EntityField {
  const types = typesOf(member)
  const kind = kindOf(`${entityName}.${name}`, types, member)
  const maxCharacters = member.maxLength ?? unboundedCharacters
  return {
    name,
    column: snakeCase(name),
    kind,
    isNullable: types.includes('null'),
    maxBytes: kind === 'text' ? maxBytesPerCharacter * maxCharacters + 2 : maxBytesOfShort,
    values: (member.enum ?? []).filter((value) => value !== null),
    description: member.description ?? null,
  }
}

/** An enumeration may leave out what type its words are (`Type.Enum`). */
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
  return format === 'date-time' ? 'timestamp' : 'text'
}

function keyField(column: string, kind: FieldKind): EntityField {
  return {
    name: column,
    column,
    kind,
    isNullable: false,
    maxBytes: maxBytesOfShort,
    values: [],
    description: null,
  }
}
