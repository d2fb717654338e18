/** Connections: a page of rows with its edges, nodes and page information. */
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { ReadModel } from '../../../database/read/read-model.ts'
import { listOf, type Types } from './types.ts'
import { filterInput, sortInput } from './where.ts'

export function listArgs(types: Types, entity: ReadModel): GraphQLFieldConfigArgumentMap {
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

export function connectionField(
  types: Types,
  entity: ReadModel,
): Pick<GraphQLFieldConfig<unknown, unknown>, 'type' | 'args'> {
  return {
    type: new GraphQLNonNull(connection(types, entity)),
    args: { ...listArgs(types, entity), ...pageArgs },
  }
}

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
