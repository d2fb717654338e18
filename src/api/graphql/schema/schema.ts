/** The GraphQL schema of all features. */
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import type {
  GraphQLPart,
  MutationField,
  QueryField,
  SubscriptionField,
} from '../../../core/feature/field.ts'
import type { ReadModel } from '../../../database/read/read-model.ts'
import { uuidScalar } from './scalar.ts'
import { listOf, required, Types } from './types.ts'
import { filterInput, sortInput } from './where.ts'

export interface Api {
  schema: GraphQLSchema
  queries: ReadonlyMap<string, QueryField>
  mutations: ReadonlyMap<string, MutationField>
  subscriptions: ReadonlyMap<string, SubscriptionField>
}

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

/** @throws Error when two features have a field of one name */
export function createApi(parts: readonly GraphQLPart[]): Api {
  const queries = merged(parts.map((part) => part.queries))
  const mutations = merged(parts.map((part) => part.mutations))
  const subscriptions = merged(parts.map((part) => part.subscriptions))
  const types = new Types()
  const schema = new GraphQLSchema({
    query: root('Query', queries, (field) => queryField(types, field)),
    mutation: root('Mutation', mutations, (field) => mutationField(types, field)),
    subscription: root('Subscription', subscriptions, ({ entity, description }) => ({
      type: new GraphQLNonNull(types.row(entity)),
      description,
    })),
  })
  return { schema, queries, mutations, subscriptions }
}

function merged<F>(parts: readonly (Readonly<Record<string, F>> | undefined)[]): Map<string, F> {
  const fields = new Map<string, F>()
  for (const [name, field] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    if (fields.has(name)) throw new Error(`Two features declare the field ${name}.`)
    fields.set(name, field)
  }
  return fields
}

function root<F>(name: string, fields: Map<string, F>, config: (field: F) => FieldConfig) {
  if (fields.size === 0) return null
  const configs = [...fields].map(([fieldName, field]) => [fieldName, config(field)] as const)
  return new GraphQLObjectType({ name, fields: Object.fromEntries(configs) })
}

function queryField(types: Types, field: QueryField): FieldConfig {
  const { description } = field
  switch (field.kind) {
    case 'object':
      return { description, type: new GraphQLNonNull(types.object(field.type)) }
    case 'one':
      return {
        description,
        type: types.row(field.entity),
        args: { id: { type: required(uuidScalar, true) } },
      }
    case 'list':
      return { description, type: listOf(types.row(field.entity)), args: listArgs(types, field.entity) }
    case 'connection':
      return {
        description,
        type: new GraphQLNonNull(connection(types, field.entity)),
        args: { ...listArgs(types, field.entity), ...pageArgs },
      }
  }
}

function mutationField(types: Types, field: MutationField): FieldConfig {
  const { description, args } = field
  const inputs = Object.entries(args).map(
    ([name, schema]) => [name, { type: required(types.input(schema), true) }] as const,
  )
  const type = field.kind === 'object' ? types.object(field.type) : types.row(field.entity)
  return { description, type: new GraphQLNonNull(type), args: Object.fromEntries(inputs) }
}

function listArgs(types: Types, entity: ReadModel): GraphQLFieldConfigArgumentMap {
  return {
    where: { type: filterInput(types, entity) },
    order: { type: new GraphQLList(new GraphQLNonNull(sortInput(types, entity))) },
  }
}

export const defaultPageSize = 10
export const maxPageSize = 50

const pageArgs: GraphQLFieldConfigArgumentMap = {
  first: {
    type: GraphQLInt,
    description: `The number of rows from the start; ${defaultPageSize} if absent, at most ${maxPageSize}`,
  },
  after: { type: GraphQLString, description: 'The cursor after which the page begins' },
  last: { type: GraphQLInt, description: 'The number of rows from the end, instead of `first`' },
  before: { type: GraphQLString, description: 'The cursor before which the page ends' },
}

const pageInfo = new GraphQLObjectType({
  name: 'PageInfo',
  description: 'The start and the end of a page, and whether more rows precede or follow.',
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean) },
    startCursor: { type: GraphQLString },
    endCursor: { type: GraphQLString },
  },
})

function connection(types: Types, entity: ReadModel): GraphQLObjectType {
  const row = types.row(entity)
  const edge = types.named(
    `${entity.name}Edge`,
    () =>
      new GraphQLObjectType({
        name: `${entity.name}Edge`,
        fields: {
          cursor: { type: new GraphQLNonNull(GraphQLString) },
          node: { type: new GraphQLNonNull(row) },
        },
      }),
  )
  return types.named(
    `${entity.name}Connection`,
    () =>
      new GraphQLObjectType({
        name: `${entity.name}Connection`,
        description: 'One page of a list.',
        fields: {
          edges: { type: listOf(edge) },
          nodes: { type: listOf(row) },
          pageInfo: { type: new GraphQLNonNull(pageInfo) },
          totalCount: {
            type: new GraphQLNonNull(GraphQLInt),
            description: 'The number of rows of all pages',
          },
        },
      }),
  )
}
