/** The types of aggregates: the numbers of a group, what rows can be grouped by, and the orders of groups. */
import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql'
import { type AggregateFunction, canAggregate, canGroupBy } from '../../../database/read/aggregate.ts'
import type { ReadField, ReadModel } from '../../../database/read/read-model.ts'
import { decimalScalar } from './scalar.ts'
import { listOf, type Types } from './types.ts'
import { filterInput, sortDirection } from './where.ts'

export const maxGroupFields = 4
export const maxGroups = 200

/** Functions of one type have the same fields. */
const kinds = [
  { name: 'Numbers', functions: ['sum', 'avg'], isNumber: true },
  { name: 'Extremes', functions: ['min', 'max'], isNumber: false },
] as const

const descriptions: Record<AggregateFunction, string> = {
  sum: 'Exact sums; null without a value',
  avg: 'Averages, rounded to six decimals',
  min: 'The least values',
  max: 'The greatest values',
}

export function aggregateField(
  types: Types,
  entity: ReadModel,
): Pick<GraphQLFieldConfig<unknown, unknown>, 'type' | 'args'> {
  const field = types.named(
    `${entity.name}GroupField`,
    () =>
      new GraphQLEnumType({
        name: `${entity.name}GroupField`,
        values: Object.fromEntries(groupFields(entity).map(({ name }) => [name, {}])),
      }),
  )
  return {
    type: listOf(group(types, entity)),
    args: {
      where: { type: filterInput(types, entity) },
      groupBy: {
        type: new GraphQLList(new GraphQLNonNull(field)),
        description: `Up to ${maxGroupFields} fields; without any, all rows are one group`,
      },
      order: {
        type: new GraphQLList(new GraphQLNonNull(sortInput(types, entity))),
        description: 'By their keys if absent',
      },
      first: {
        type: GraphQLInt,
        description: `The number of groups, at most ${maxGroups}; if absent, more groups are refused`,
      },
    },
  }
}

function groupFields(entity: ReadModel): ReadField[] {
  return [...entity.fields.values()].filter(canGroupBy)
}

function group(types: Types, entity: ReadModel): GraphQLObjectType {
  const name = `${entity.name}Aggregate`
  return types.named(name, () => {
    const key = objectOf(types, `${name}Key`, groupFields(entity), (field) => types.field(entity, field))
    return new GraphQLObjectType({
      name,
      description: 'The numbers of a group of rows.',
      fields: {
        key: { type: new GraphQLNonNull(key), description: 'The values of `groupBy`; the others are null' },
        count: { type: new GraphQLNonNull(GraphQLInt), description: 'The number of rows' },
        ...Object.fromEntries(
          kinds.flatMap(({ name: kind, functions, isNumber }) => {
            const fields = aggregated(entity, functions[0])
            if (fields.length === 0) return []
            const type = objectOf(types, `${name}${kind}`, fields, (field) =>
              isNumber ? decimalScalar : types.field(entity, field),
            )
            return functions.map((of) => [
              of,
              { type: new GraphQLNonNull(type), description: descriptions[of] },
            ])
          }),
        ),
      },
    })
  })
}

function objectOf(
  types: Types,
  name: string,
  fields: readonly ReadField[],
  typeOf: (field: ReadField) => ReturnType<Types['field']>,
): GraphQLObjectType {
  const configs = fields.map((field) => [field.name, { type: typeOf(field) }] as const)
  return types.named(name, () => new GraphQLObjectType({ name, fields: Object.fromEntries(configs) }))
}

function aggregated(entity: ReadModel, of: AggregateFunction): ReadField[] {
  return [...entity.fields.values()].filter((field) => canAggregate(of, field))
}

function sortInput(types: Types, entity: ReadModel): GraphQLInputObjectType {
  const name = `${entity.name}AggregateSortInput`
  return types.named(name, () => {
    const directions = (own: string, fields: readonly ReadField[]) =>
      types.named(own, () => new GraphQLInputObjectType({ name: own, fields: directionsOf(fields) }))
    const members: GraphQLInputFieldConfigMap = {
      key: { type: directions(`${entity.name}GroupSortInput`, groupFields(entity)) },
      count: { type: sortDirection },
    }
    for (const { name: kind, functions } of kinds) {
      const sorted = aggregated(entity, functions[0])
      if (sorted.length === 0) continue
      const type = directions(`${entity.name}${kind}SortInput`, sorted)
      for (const of of functions) members[of] = { type }
    }
    return new GraphQLInputObjectType({ name, fields: members })
  })
}

function directionsOf(fields: readonly ReadField[]): GraphQLInputFieldConfigMap {
  return Object.fromEntries(fields.map(({ name }) => [name, { type: sortDirection }]))
}
