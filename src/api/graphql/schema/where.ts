/** The GraphQL inputs for filters and orders. Their names follow Hot Chocolate, a GraphQL server for .NET. */
import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import {
  type FieldKind,
  mayFilter,
  maySort,
  type ReadField,
  type ReadModel,
} from '../../../database/read/read-model.ts'
import type { Types } from './types.ts'

const ordered = ['eq', 'neq', 'in', 'nin', 'gt', 'ngt', 'gte', 'ngte', 'lt', 'nlt', 'lte', 'nlte']
/** These operators ignore case. REST lists have the same ones. */
const ignoringCase = ['ieq', 'icontains', 'istartsWith', 'iendsWith']
const textual = [
  'eq',
  'neq',
  'contains',
  'ncontains',
  'in',
  'nin',
  'startsWith',
  'nstartsWith',
  'endsWith',
  'nendsWith',
  ...ignoringCase,
]

const operations: Record<FieldKind, { name: string; operators: readonly string[] }> = {
  uuid: { name: 'Uuid', operators: ordered },
  timestamp: { name: 'DateTime', operators: ordered },
  date: { name: 'Date', operators: ordered },
  json: { name: '', operators: [] },
  decimal: { name: 'Decimal', operators: ordered },
  integer: { name: 'Int', operators: ordered },
  text: { name: 'String', operators: textual },
  boolean: { name: 'Boolean', operators: ['eq', 'neq'] },
  enum: { name: '', operators: ['eq', 'neq', 'in', 'nin'] },
}

export const sortDirection = new GraphQLEnumType({ name: 'SortEnumType', values: { ASC: {}, DESC: {} } })

export function filterInput(types: Types, entity: ReadModel): GraphQLInputObjectType {
  const name = `${entity.name}FilterInput`
  return types.named(
    name,
    () => new GraphQLInputObjectType({ name, fields: () => filterFields(types, entity) }),
  )
}

export function sortInput(types: Types, entity: ReadModel): GraphQLInputObjectType {
  const name = `${entity.name}SortInput`
  return types.named(
    name,
    () => new GraphQLInputObjectType({ name, fields: () => sortFields(types, entity) }),
  )
}

function filterFields(types: Types, entity: ReadModel): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {
    ...combinations(filterInput(types, entity)),
  }
  for (const field of entity.fields.values()) {
    if (mayFilter(entity, field)) fields[field.name] = { type: operationInput(types, entity, field) }
  }
  for (const { name, kind, entity: other } of entity.relations.values()) {
    fields[name] = { type: kind === 'one' ? filterInput(types, other) : listFilterInput(types, other) }
  }
  return fields
}

function sortFields(types: Types, entity: ReadModel): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {}
  for (const field of entity.fields.values()) {
    if (maySort(entity, field)) fields[field.name] = { type: sortDirection }
  }
  for (const { name, kind, entity: other } of entity.relations.values()) {
    if (kind === 'one') fields[name] = { type: sortInput(types, other) }
  }
  return fields
}

function operationInput(types: Types, entity: ReadModel, field: ReadField): GraphQLInputObjectType {
  const type = types.field(entity, field)
  const { name: prefix, operators } = operations[field.kind]
  const name = `${prefix === '' ? String(type) : prefix}OperationFilterInput`
  return types.named(name, () => {
    const input: GraphQLInputObjectType = new GraphQLInputObjectType({
      name,
      fields: () => ({
        ...(field.kind === 'text' && combinations(input)),
        ...Object.fromEntries(operators.map((operator) => [operator, { type: operand(operator, type) }])),
      }),
    })
    return input
  })
}

/** The list of `in` and `nin` may contain `null`, which matches a field without a value. */
function operand(operator: string, type: GraphQLInputType): GraphQLInputType {
  return operator === 'in' || operator === 'nin' ? new GraphQLList(type) : type
}

function listFilterInput(types: Types, entity: ReadModel): GraphQLInputObjectType {
  const element = filterInput(types, entity)
  const name = `ListFilterInputTypeOf${element.name}`
  return types.named(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        fields: {
          all: { type: element },
          none: { type: element },
          some: { type: element },
          any: { type: GraphQLBoolean },
        },
      }),
  )
}

function combinations(input: GraphQLInputObjectType): GraphQLInputFieldConfigMap {
  const type = new GraphQLList(new GraphQLNonNull(input))
  return { and: { type }, or: { type } }
}
