/** Counts the rows for each word of an enum while a filter is chosen, by one aggregate of the GraphQL API. */
import { request } from '../api.ts'
import type { EntityDescription, FieldDescription } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { type ListFilter, requestedValue } from './filter.ts'

/** The time limit for the counts: the filters are usable without them. */
const maxMs = 2000

interface Listed {
  entity: EntityDescription
  filters: readonly ListFilter[]
  search: string
}

interface Counts {
  data?: { counts: readonly { key: Readonly<Record<string, string | null>>; count: number }[] }
}

/** @returns a function for the count of a word, which returns `null` if the service has no counts in time */
export function useWordCounts(listed: Listed, field: FieldDescription): (word: string) => number | null {
  const query = wordCountQuery(listed, field)
  const { data } = useLoaded(query ?? '', async (signal) => {
    if (query === null) return null
    const signalWithLimit = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
    return (await request<Counts>('POST', '/graphql', { body: { query }, signal: signalWithLimit })).body.data
  })
  if (!data) return () => null
  return (word) => data.counts.find(({ key }) => key[field.name] === word)?.count ?? 0
}

/**
 * @returns the query, for the rows that match the other filters; `null` with a search or a filter on empty values,
 *   which aggregates do not support, and with a value in the address that its field does not allow
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

const unquoted = new Set<FieldDescription['kind']>(['enum', 'boolean', 'integer', 'money', 'sequence'])

/** Whether a value from the address can be written without quotes: otherwise it could change the query. */
function isWellFormed({ field, value }: ListFilter): boolean {
  return !unquoted.has(field.kind) || /^-?[\w.]+(,-?[\w.]+)*$/.test(value)
}

function literalOf(filter: ListFilter): string {
  const value = requestedValue(filter)
  const literal = (each: string) => (unquoted.has(filter.field.kind) ? each : JSON.stringify(each))
  return filter.operator === 'in' ? `[${value.split(',').map(literal)}]` : literal(value)
}
