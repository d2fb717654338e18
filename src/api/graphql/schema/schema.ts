/** The GraphQL schema of all features. */

import {
  GraphQLError,
  type GraphQLFieldConfig,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  validateSchema,
} from 'graphql'
import { ApplicationError } from '../../../core/feature/application-error.ts'
import type {
  GraphQLPart,
  MutationField,
  QueryField,
  SubscriptionField,
} from '../../../core/feature/field.ts'
import { aggregateField } from './aggregate.ts'
import { connectionField, listArgs } from './connection.ts'
import { deletedRow } from './deleted-row.ts'
import { withReverseRelations } from './reverse.ts'
import { uuidScalar } from './scalar.ts'
import { listOf, required, Types } from './types.ts'
import { filterInput } from './where.ts'

export interface Api {
  /** Whether rows have members that the process adds after the read, such as names of users. */
  completesRows: boolean
  schema: GraphQLSchema
  queries: ReadonlyMap<string, QueryField>
  mutations: ReadonlyMap<string, MutationField>
  subscriptions: ReadonlyMap<string, SubscriptionField>
}

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

/** @throws ApplicationError for a schema that no request could be validated against, such as a name that two types have */
export function createApi(features: readonly GraphQLPart[]): Api {
  try {
    const api = buildApi(features)
    // Validated at the start, because graphql-js would do so at the first request.
    const faults = validateSchema(api.schema).map(({ message }) => message)
    if (faults.length > 0) throw notValid(faults.join(' '))
    return api
  } catch (error) {
    throw error instanceof GraphQLError ? notValid(error.message) : error
  }
}

function notValid(reason: string): ApplicationError {
  return new ApplicationError(`The schema of GraphQL is not valid: ${reason}`)
}

function buildApi(features: readonly GraphQLPart[]): Api {
  const parts = withReverseRelations(features)
  const queries = merged(parts.map((part) => part.queries))
  const mutations = merged(parts.map((part) => part.mutations))
  const subscriptions = merged(parts.map((part) => part.subscriptions))
  const types = new Types(connectionField)
  const schema = new GraphQLSchema({
    query: root('Query', queries, (field) => queryField(types, field)),
    mutation: root('Mutation', mutations, (field) => mutationField(types, field)),
    subscription: root('Subscription', subscriptions, (field) => subscriptionField(types, field)),
  })
  return { schema, queries, mutations, subscriptions, completesRows: types.completesRows }
}

function merged<F>(parts: readonly (Readonly<Record<string, F>> | undefined)[]): Map<string, F> {
  const fields = new Map<string, F>()
  for (const [name, field] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    if (fields.has(name)) throw new ApplicationError(`Two features declare the field ${name}.`)
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
      return { description, ...connectionField(types, field.entity) }
    case 'aggregate':
      return { description, ...aggregateField(types, field.entity) }
  }
}

function subscriptionField(
  types: Types,
  { entity, description, isDecided, isDeletion }: SubscriptionField,
): FieldConfig {
  const type = new GraphQLNonNull(types.row(isDeletion === true ? deletedRow : entity))
  if (isDecided !== true) return { description, type }
  return { description, type, args: { where: { type: filterInput(types, entity) } } }
}

function mutationField(types: Types, field: MutationField): FieldConfig {
  const { description, args } = field
  const inputs = Object.entries(args).map(
    ([name, schema]) => [name, { type: required(types.input(schema), true) }] as const,
  )
  const type = field.kind === 'object' ? types.object(field.type) : types.row(field.entity)
  const isNullable = field.kind === 'row' && field.isNullable === true
  return { description, type: isNullable ? type : new GraphQLNonNull(type), args: Object.fromEntries(inputs) }
}
