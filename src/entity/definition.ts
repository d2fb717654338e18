/** Derives from a definition what everything else of an entity is made from: names, members of rows, and columns. */

import { type TObject, type TSchema, Type } from 'typebox'
import { capital } from '../core/capital.ts'
import { defined } from '../core/defined.ts'
import { type FieldRule, type FieldRules, rulesWithin } from '../core/feature/field-rule.ts'
import type { LabelsByLanguage } from '../core/language/language.ts'
import { defaultLanguage } from '../core/language/languages.ts'
import { Nullable, Timestamp, Uuid, withMembers } from '../core/schema/schema.ts'
import { caseFoldedPrefix } from '../database/fold-text.ts'
import { snakeCase } from '../database/sql-text.ts'
import type { FieldSpec, Fields } from './field.ts'
import { ruleOfField } from './field-rules.ts'
import { fileSchemas } from './file.ts'

/** A member of a row with a column of its own. */
export interface Member {
  /** The name in the API: `customerId` for a reference `customer`. */
  name: string
  /** The name in the definition: `customer`. */
  field: string
  column: string
  /** The column with the case-folded text; `null` if neither filters nor the search ignore case. */
  caseFoldedColumn: string | null
  spec: FieldSpec
  rule: FieldRule
  /** The schema of the value in a row, null included. */
  schema: TSchema
}

/** A list of rows that belong to the row, in a table of their own. */
export interface Child {
  name: string
  typeName: string
  table: string
  /** The column with the id of the row to which the rows of the list belong. */
  parentColumn: string
  maxItems: number
  spec: FieldSpec
  rule: FieldRule
  members: readonly Member[]
  schema: TSchema
}

export interface Names {
  /** A singular noun: `purchaseOrder`. */
  name: string
  /** `purchaseOrders` */
  plural: string
  /** `PurchaseOrder` */
  type: string
  /** The singular, as it stands within a sentence: `purchase order`. */
  label: string
  labels: string
  /** `purchase_order` */
  table: string
  /** `/api/purchase-orders` */
  path: string
  translations: LabelsByLanguage
}

export interface Shape {
  members: readonly Member[]
  children: readonly Child[]
  /** One sentence. */
  description: string
  /** What callers get. */
  row: TObject
  /** What callers send to create a row. */
  input: TObject
  /** What callers send to replace a row: as `input`, but members with `write: 'once'` may be left out. */
  replacement: TObject
  /** What callers send to change some members. */
  change: TObject
}

const namePattern = /^[a-z][A-Za-z0-9]{0,39}$/

export function namesOf(
  name: string,
  { plural = pluralOf(name), labels = {} }: { plural?: string; labels?: LabelsByLanguage },
): Names {
  for (const each of [name, plural])
    if (!namePattern.test(each))
      throw new Error(`${each} is no name of an entity: write it like purchaseOrder.`)
  const words = (text: string) => snakeCase(text).replaceAll('_', ' ')
  return {
    name,
    plural,
    type: capital(name),
    label: labels[defaultLanguage]?.one ?? words(name),
    labels: labels[defaultLanguage]?.many ?? words(plural),
    table: snakeCase(name),
    path: `/api/${snakeCase(plural).replaceAll('_', '-')}`,
    translations: labels,
  }
}

function pluralOf(name: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(name)) return `${name}es`
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`
}

/** Members and columns that every row, or every row of a list, has. */
const reserved: ReadonlySet<string> = new Set([
  'id',
  'tenantId',
  'createdAt',
  'updatedAt',
  'version',
  'position',
])

interface ShapeOptions {
  description: string
  /** Names of text fields that the search reads. */
  search: readonly string[]
  rules: FieldRules
}

/** @throws Error for a field whose name or kind is not possible */
export function shapeOf(names: Names, fields: Fields, { description, search, rules }: ShapeOptions): Shape {
  const members = membersOf(names.name, fields, search, rules)
  const children = Object.entries(fields)
    .filter(([, { spec }]) => spec.kind === 'many')
    .map(([field, { spec }]) => childOf(names, field, spec, rules))
  const listed = children.map(({ name, schema, rule }) => [name, shown(schema, rule)] as const)
  const row = Type.Object(
    {
      id: { ...Uuid, description: 'Assigned by the service' },
      ...Object.fromEntries(members.map(({ name, schema, rule }) => [name, shown(schema, rule)])),
      ...fileSchemas(members),
      ...Object.fromEntries(listed),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    },
    { $id: names.type, description },
  )
  const given = inputMembers(members, children)
  const input = Type.Object(given, {
    $id: `${names.type}Input`,
    description: `A new ${names.label}, or its new state.`,
  })
  return {
    members,
    children,
    description,
    row,
    input,
    replacement: replacementOf(input, names.type, [...members, ...children]),
    change: Type.Object(changeMembers(given), {
      $id: `${names.type}Change`,
      description: 'Omitted members stay unchanged.',
    }),
  }
}

/** The schema of a member in a reply. With a read rule, replies to some callers leave the member out. */
function shown(schema: TSchema, { read }: FieldRule): TSchema {
  return read === undefined ? schema : Type.Optional(schema)
}

export function membersOf(
  entity: string,
  fields: Fields,
  search: readonly string[],
  rules: FieldRules = new Map(),
): Member[] {
  return Object.entries(fields)
    .filter(([, { spec }]) => spec.kind !== 'many')
    .map(([field, { spec }]) => {
      const name = spec.kind === 'reference' ? `${field}Id` : field
      if (!namePattern.test(field))
        throw new Error(`${entity}.${field}: write the name of a field like dueOn.`)
      if (reserved.has(name)) throw new Error(`${entity}.${field}: every entity has ${name} already.`)
      const isCaseFolded = spec.ignoresCase === true || search.includes(field)
      if (isCaseFolded && spec.kind !== 'text')
        throw new Error(`${entity}.${field}: only text can be searched, and this is ${spec.kind}.`)
      const column = snakeCase(name)
      return {
        name,
        field,
        column,
        caseFoldedColumn: isCaseFolded ? `${caseFoldedPrefix}${column}` : null,
        spec,
        rule: ruleOfField(rules, field, name),
        schema: schemaOf(spec),
      }
    })
}

function schemaOf({ kind, schema, description, isNullable }: FieldSpec): TSchema {
  const described = description === undefined ? schema : withMembers(schema, { description })
  if (!isNullable) return described
  // The example is null: an id in the documents would name no row of the reader who sends it.
  return Nullable(kind === 'reference' ? withMembers(described, { examples: [null] }) : described)
}

function childOf(
  names: Names,
  field: string,
  { items = {}, maxItems = 0, ...spec }: FieldSpec,
  rules: FieldRules,
): Child {
  const singular = field.replace(/s$/, '')
  const typeName = `${names.type}${capital(singular)}`
  const members = membersOf(`${names.name}.${field}`, items, [], new Map(rulesWithin(rules, field)))
  for (const [name, { spec: inner }] of Object.entries(items)) {
    if (inner.kind === 'many' || inner.kind === 'sequence')
      throw new Error(
        `${names.name}.${field}.${name}: rows of a list have no field of the kind ${inner.kind}.`,
      )
  }
  const own = Object.fromEntries(members.map(({ name, schema, rule }) => [name, shown(schema, rule)]))
  const row = Type.Object(
    { ...own, ...fileSchemas(members) },
    {
      $id: typeName,
      description: `One of the ${field} of the ${names.label}.`,
    },
  )
  const description = spec.description ?? 'In the order in which they were given.'
  return {
    name: field,
    typeName,
    table: `${names.table}_${snakeCase(singular)}`,
    parentColumn: `${names.table}_id`,
    maxItems,
    spec: { ...spec, items },
    rule: ruleOfField(rules, field, field),
    members,
    schema: Type.Array(row, { description }),
  }
}

/** The members that callers may give. */
export function inputMembers(
  members: readonly Member[],
  children: readonly Child[],
): Record<string, TSchema> {
  const own = members.flatMap((member) => {
    const { presence, fallback } = member.spec
    if (presence === 'readOnly' || presence === 'computed') return []
    if (presence === 'required' && !mayBeLeftOut(member)) return [[member.name, member.schema] as const]
    const hasDefault = fallback !== undefined && fallback.value !== null
    const schema = hasDefault ? withMembers(member.schema, { default: fallback.value }) : member.schema
    return [[member.name, Type.Optional(schema)] as const]
  })
  const lists = children.flatMap(({ name, typeName, members: inner, spec, rule }) => {
    if (spec.presence === 'readOnly' || spec.presence === 'computed') return []
    const item = Type.Object(inputMembers(inner, []), { $id: `${typeName}Input` })
    const { minItems, maxItems } = spec.schema as { minItems?: number; maxItems?: number } // of an array
    const list = Type.Array(item, defined({ minItems, maxItems, description: spec.description }))
    const isOptional = spec.presence === 'optional' || mayBeLeftOut({ rule })
    return [[name, isOptional ? Type.Optional(list) : list] as const]
  })
  return Object.fromEntries([...own, ...lists])
}

/** Callers who may not write the member leave it out, and code sets it in a new row. */
export function mayBeLeftOut({ rule: { read, write } }: Pick<Member, 'rule'>): boolean {
  return read !== undefined || (write !== undefined && write !== 'once')
}

/** Replacing a row keeps members with `write: 'once'`: callers may leave them out. */
function replacementOf(input: TObject, type: string, members: readonly (Member | Child)[]): TObject {
  const kept = members.filter(({ name, rule }) => rule.write === 'once' && name in input.properties)
  if (kept.length === 0) return input
  const optional = kept.map(({ name }) => [name, Type.Optional(input.properties[name] as TSchema)] as const) // among them
  const properties = { ...input.properties, ...Object.fromEntries(optional) }
  return Type.Object(properties, { $id: `${type}Replacement`, description: 'The new state of a row.' })
}

/** @param given what callers may give to create a row */
export function changeMembers(given: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(given).map(([name, schema]) => [name, withoutDefault(schema)]))
}

function withoutDefault(schema: TSchema): TSchema {
  const copy: TSchema & { default?: unknown } = withMembers(schema, {}) // of JSON Schema
  delete copy.default
  return Type.Optional(copy)
}
