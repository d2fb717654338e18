/** How many rows each word of an enum has, while a filter is chosen: one aggregate of the GraphQL API. */
import { request } from '../api.ts'
import type { EntityDescription, FieldDescription } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { type ListFilter, requestedValue } from './filter.ts'

/** The filters without counts are of use as well: nobody waits for them. */
const maxMs = 2000

interface Listed {
  entity: EntityDescription
  filters: readonly ListFilter[]
  search: string
}

interface Counts {
  data?: { counts: readonly { key: Readonly<Record<string, string | null>>; count: number }[] }
}

/** @returns of a word; nothing for any, if the service cannot tell soon */
export function useWordCounts(listed: Listed, field: FieldDescription): (word: string) => number | null {
  const query = wordCountQuery(listed, field)
  const { data } = useLoaded(query ?? '', async (signal) => {
    if (query === null) return null
    const soon = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
    return (await request<Counts>('POST', '/graphql', { body: { query }, signal: soon })).body.data
  })
  if (!data) return () => null
  return (word) => data.counts.find(({ key }) => key[field.name] === word)?.count ?? 0
}

/**
 * Of the rows that the other filters let through. @returns `null` for what an aggregate does not compare, and for values
 * of the address that are none of their field
 */
export function wordCountQuery(
  { entity: { plural }, filters, search }: Listed,
  { name }: FieldDescription,
): string | null {
  const others = filters.filter(({ field }) => field.name !== name)
  if (search !== '' || others.some(({ operator }) => operator === 'isNull')) return null
  if (!others.every(isWellFormed)) return null
  const where = others.map((each) => `{${each.field.name}:{${each.operator}:${literalOf(each)}}}`)
  return `{counts:${plural}Aggregate(groupBy:[${name}],where:{and:[${where}]}){key{${name}}count}}`
}

const bare = new Set<FieldDescription['kind']>(['enum', 'boolean', 'integer', 'money', 'sequence'])

/** Whoever has made the address would write a part of the query otherwise. */
function isWellFormed({ field, value }: ListFilter): boolean {
  return !bare.has(field.kind) || /^-?[\w.]+(,-?[\w.]+)*$/.test(value)
}

function literalOf(filter: ListFilter): string {
  const value = requestedValue(filter)
  const literal = (each: string) => (bare.has(filter.field.kind) ? each : JSON.stringify(each))
  return filter.operator === 'in' ? `[${value.split(',').map(literal)}]` : literal(value)
}
