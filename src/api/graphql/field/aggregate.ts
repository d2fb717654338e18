/** Reads counts, sums, averages and extremes of the matching rows of each group. */
import type { FieldAccess } from '../../../core/feature/field.ts'
import type { TenantData } from '../../../database/data.ts'
import {
  type Aggregated,
  aggregateFunctions,
  type Group,
  type GroupOrder,
  type GroupsRequest,
  readGroups,
} from '../../../database/read/aggregate.ts'
import type { ReadBudget } from '../../../database/read/measure.ts'
import type { ReadField, ReadModel } from '../../../database/read/read-model.ts'
import { writtenOrder } from '../argument/order.ts'
import { filterOf } from '../argument/where.ts'
import { groupsCost } from '../document/cost.ts'
import type { Picked, Root } from '../document/plan.ts'
import type { GivenVariables } from '../document/variables.ts'
import { refuse } from '../error.ts'
import { type Json, JsonWriter, jsonObjectOf } from '../json-writer.ts'
import { maxGroupFields, maxGroups } from '../schema/aggregate.ts'
import { accessesOf } from './access.ts'

export interface PreparedAggregate {
  request: GroupsRequest
  /** The request does not say `first`: more than `maxGroups` groups are then refused, not left out. */
  wantsAll: boolean
  picked: readonly Picked[]
  cost: number
  /** The permissions for related rows that the filter names. The read itself checks the aggregated members. */
  accesses: ReadonlySet<FieldAccess>
}

/** @throws GraphQLError for arguments that the schema allows and the field refuses */
export function prepareAggregate(
  root: Extract<Root, { kind: 'aggregate' }>,
  { variables, written }: GivenVariables,
): PreparedAggregate {
  const { field, picked, nodes } = root
  const { entity } = field
  const args = root.arguments(variables)
  const filter = filterOf(entity, args['where'] as Parameters<typeof filterOf>[1]) // the schema admits no other type
  const groupBy = groupByOf(entity, args['groupBy'] as string[] | null | undefined) // the schema admits no other type
  const order = orderOf(entity, writtenOrder(nodes[0], written), groupBy)
  const first = firstOf(args['first'] as number | null | undefined) // the schema admits no other type
  const values = valuesOf(entity, picked)
  const cost = groupsCost({
    filter,
    groups: groupBy.length === 0 ? 1 : first,
    objects: 1 + picked.filter(({ inner }) => inner.length > 0).length,
    terms: groupBy.length + values.length + order.length,
  })
  const request = { entity, filter, groupBy, values, order, limit: first ?? maxGroups + 1 }
  return { request, wantsAll: first === null, picked, cost, accesses: accessesOf([], filter) }
}

function firstOf(first: number | null = null): number | null {
  if (first === null || (first >= 0 && first <= maxGroups)) return first
  throw refuse('pageSize', `first must be between 0 and ${maxGroups}.`)
}

function groupByOf(entity: ReadModel, names: readonly string[] | null = []): ReadField[] {
  const fields = [...new Set(names)].map((name) => fieldOf(entity, name))
  if (fields.length > maxGroupFields)
    throw refuse('pageSize', `groupBy may have at most ${maxGroupFields} fields.`)
  return fields
}

function fieldOf(entity: ReadModel, name: string): ReadField {
  const field = entity.fields.get(name)
  if (field === undefined) throw new Error(`${entity.name} has no ${name}.`)
  return field
}

/**
 * @param written the argument `order`: an object, or a list of objects. Its member `count` is a direction. Its other
 * members, such as `key` and `sum`, are objects with a direction for each field.
 */
function orderOf(entity: ReadModel, written: unknown, groupBy: readonly ReadField[]): GroupOrder[] {
  const sortings = [written].flat().flatMap((each) => Object.entries(each ?? {}))
  return sortings.flatMap(([of, direction]): GroupOrder[] => {
    if (direction === null || direction === undefined) return [] // undefined: a variable that is not given
    if (of === 'count') return [{ of, descending: direction === 'DESC' }]
    const fields = Object.entries(direction).filter(([, each]) => each !== null && each !== undefined)
    return fields.map(([name, each]) => {
      const field = fieldOf(entity, name)
      if (of === 'key' && !groupBy.includes(field))
        throw refuse('value', `order: groups have no key ${name}; name it in groupBy`)
      return { of: of as 'key' | Aggregated['of'], field, descending: each === 'DESC' } // the schema has no others
    })
  })
}

/** Lists the values to compute. A value that is selected several times is computed once. */
function valuesOf(entity: ReadModel, picked: readonly Picked[]): Aggregated[] {
  return aggregateFunctions.flatMap((of) => {
    const selected = picked.filter(({ name }) => name === of).flatMap(({ inner }) => inner)
    const names = new Set(selected.map(({ name }) => name).filter((name) => name !== '__typename'))
    return [...names].map((name) => ({ of, field: fieldOf(entity, name) }))
  })
}

export async function readAggregate(
  data: TenantData,
  { request, wantsAll, picked }: PreparedAggregate,
  budget: ReadBudget,
): Promise<Json> {
  const groups = await readGroups(data, request, budget)
  if (wantsAll && groups.length > maxGroups)
    throw refuse(
      'pageSize',
      `There are more than ${maxGroups} groups: narrow the filter, or say how many with first.`,
    )
  const writer = new JsonWriter()
  for (const [index, group] of groups.entries()) {
    const json = groupJson(group, picked, request)
    budget.take(1, Buffer.byteLength(json))
    writer.add(`${index === 0 ? '[' : ','}${json}`)
  }
  writer.add(groups.length === 0 ? '[]' : ']')
  return writer.finish()
}

function groupJson(
  { count, keys, values }: Group,
  picked: readonly Picked[],
  request: GroupsRequest,
): string {
  const typeName = `${request.entity.name}Aggregate`
  const jsonOf = (of: string, name: string): string => {
    const index =
      of === 'key'
        ? request.groupBy.findIndex((field) => field.name === name)
        : request.values.findIndex((value) => value.of === of && value.field.name === name)
    return (of === 'key' ? keys : values)[index] ?? 'null'
  }
  return jsonObjectOf(picked, ({ name, inner }) => {
    if (name === '__typename') return `"${typeName}"`
    if (name === 'count') return `${count}`
    return jsonObjectOf(inner, (member) =>
      member.name === '__typename' ? `"${typeName}${typeSuffix(name)}"` : jsonOf(name, member.name),
    )
  })
}

function typeSuffix(of: string): string {
  if (of === 'key') return 'Key'
  return of === 'sum' || of === 'avg' ? 'Numbers' : 'Extremes'
}
