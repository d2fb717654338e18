/** Counts the rows for each word of an enum while a filter is chosen, by one aggregate of the GraphQL API. */
import { request } from '../api.ts'
import type { FieldDescription } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { type Listed, wordCountQuery } from './word-count-query.ts'

/** The time limit for the counts: the filters are usable without them. */
const maxMs = 2000

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
