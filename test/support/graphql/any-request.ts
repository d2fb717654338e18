/** Filters and orders of every form that the schema has, with values of the rows and values near them. */
import fc, { type Arbitrary } from 'fast-check'
import { type GraphQLInputObjectType, type GraphQLSchema, isInputObjectType } from 'graphql'
import type { ReadField, ReadModel, Relation } from '../../../src/database/read/read-model.ts'
import { schema as builtIn } from './entities.ts'
import type { Cell, Row, Sorting, Where } from './oracle.ts'

export interface AnyRequest {
  where: Where
  order: Sorting[]
}

/** @param schema that has the entity, if it is not a built-in one */
export function anyRequest(
  entity: ReadModel,
  rows: readonly Row[],
  schema: GraphQLSchema = builtIn,
): Arbitrary<AnyRequest> {
  return fc.record({
    where: fc.oneof({ weight: 20, arbitrary: anyWhere(schema, entity, rows, 3) }, fc.constant(null)),
    order: fc.array(anySorting(schema, entity, 2), { maxLength: 3 }),
  })
}

function anyWhere(
  schema: GraphQLSchema,
  entity: ReadModel,
  rows: readonly Row[],
  depth: number,
): Arbitrary<Where> {
  const members = Object.keys(inputType(schema, `${entity.name}FilterInput`).getFields()).flatMap((name) => {
    const field = entity.fields.get(name)
    if (field !== undefined) return [[name, anyOperation(schema, entity, field, rows)] as const]
    if (depth === 0) return []
    const relation = entity.relations.get(name)
    if (relation !== undefined && relation.isPaged !== true)
      return [[name, anyRelated(schema, relation, rows, depth)] as const]
    if (name !== 'and' && name !== 'or') return [] // the rows of the oracle lack pages of others
    return [[name, anyParts(fc.memo((left) => anyWhere(schema, entity, rows, left))(depth - 1))] as const]
  })
  return someOf(members, 3)
}

function anyRelated(
  schema: GraphQLSchema,
  { name, kind, entity }: Relation,
  rows: readonly Row[],
  depth: number,
): Arbitrary<unknown> {
  const related = rows.flatMap((row) => [row[name] ?? []].flat()) as Row[]
  const where = anyWhere(schema, entity, related, depth - 1)
  if (kind === 'one') return fc.oneof({ weight: 4, arbitrary: where }, fc.constant(null))
  const quantified = { all: where, some: where, none: where, any: fc.boolean() }
  return someOf<unknown>(Object.entries(quantified), 2)
}

function anyOperation(
  schema: GraphQLSchema,
  entity: ReadModel,
  field: ReadField,
  rows: readonly Row[],
): Arbitrary<Where> {
  const { type } = inputType(schema, `${entity.name}FilterInput`).getFields()[field.name] ?? {}
  if (!isInputObjectType(type)) throw new Error(`${field.name} has no operators.`)
  const operators = Object.keys(type.getFields())
  const operand = anyOperand(field, rows)
  const plain = operators.filter((name) => name !== 'and' && name !== 'or')
  const simple = someOf(
    plain.map((name) => [name, ofOperator(name, operand)] as const),
    2,
  )
  if (!operators.includes('or')) return simple
  const parts = fc.record({ and: anyParts(simple), or: anyParts(simple) }, { requiredKeys: [] })
  return fc.oneof({ weight: 5, arbitrary: simple }, parts)
}

function ofOperator(name: string, operand: Arbitrary<Cell>): Arbitrary<unknown> {
  const nullable = fc.oneof({ weight: 6, arbitrary: operand }, fc.constant(null))
  if (name === 'eq' || name === 'neq') return nullable
  return name === 'in' || name === 'nin' ? fc.array(nullable, { maxLength: 4 }) : operand
}

function anyParts(part: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: fc.array(part, { maxLength: 3 }) }, fc.constant(null))
}

const oddTexts = ['', '%', '_', "'", '"', '\\', 'ä', 'ß', '😀', 'a\u0308', '\u{10ffff}']

function anyOperand({ name, kind, values }: ReadField, rows: readonly Row[]): Arbitrary<Cell> {
  const known = [...new Set(rows.map((row) => row[name] as Cell))].filter((cell) => cell !== null)
  const held = known.length === 0 ? null : fc.constantFrom(...known)
  const near = nearOf(kind, values, held)
  return held === null ? near : fc.oneof({ weight: 2, arbitrary: held }, near)
}

function nearOf(
  kind: ReadField['kind'],
  values: readonly string[],
  held: Arbitrary<Cell> | null,
): Arbitrary<Cell> {
  switch (kind) {
    case 'date':
      return fc.constantFrom('2026-01-01', '2026-01-02')
    case 'json':
      throw new Error(`There is no arbitrary for ${kind}.`)
    case 'enum':
      return fc.constantFrom(...values)
    case 'boolean':
      return fc.boolean()
    case 'uuid':
      return fc.uuid()
    case 'integer':
      return fc.integer({ min: -2, max: 300 })
    case 'decimal':
      return fc.oneof(
        fc.integer({ min: -5, max: 200_000 }).map((cents) => cents / 100),
        fc.constantFrom(0.1 + 0.2, 1e-7, 1e15),
      )
    case 'timestamp':
      return (held ?? fc.constant(0)).map((text) =>
        new Date(new Date(text as string).getTime() + 1).toISOString(),
      )
    case 'text': {
      const odd = fc.constantFrom(...oddTexts)
      return held === null ? odd : fc.oneof(odd, fc.tuple(held, fc.nat(8), fc.nat(8)).map(partOf))
    }
  }
}

function partOf([text, from, length]: [Cell, number, number]): string {
  return [...String(text)].slice(from, from + length).join('')
}

function anySorting(schema: GraphQLSchema, entity: ReadModel, depth: number): Arbitrary<Sorting> {
  const direction = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('ASC' as const, 'DESC' as const) },
    fc.constant(null),
  )
  const members = Object.keys(inputType(schema, `${entity.name}SortInput`).getFields()).map((name) => {
    const relation = entity.relations.get(name)
    if (relation === undefined) return [name, direction] as const
    const inner: Arbitrary<Sorting | null> =
      depth === 0 ? fc.constant(null) : anySorting(schema, relation.entity, depth - 1)
    return [name, inner] as const
  })
  return someOf<Sorting[string]>(members, 2)
}

/** An object of some of the members, in any order; seldom of none. */
function someOf<T>(
  members: readonly (readonly [string, Arbitrary<T>])[],
  most: number,
): Arbitrary<Record<string, T>> {
  const member = fc.oneof(...members.map(([name, value]) => fc.tuple(fc.constant(name), value)))
  const entries = fc.array(member, { minLength: 1, maxLength: most })
  return fc.oneof(
    { weight: 12, arbitrary: entries.map((each) => Object.fromEntries(each)) },
    fc.constant<Record<string, T>>({}),
  )
}

function inputType(schema: GraphQLSchema, name: string): GraphQLInputObjectType {
  const type = schema.getType(name)
  if (!isInputObjectType(type)) throw new Error(`${name} is no input.`)
  return type
}
