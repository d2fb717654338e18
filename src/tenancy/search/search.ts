/**
 * Finds tenants by parts of their id and name. No index serves such a search: it reads the catalogue in windows of
 * consecutive tenants.
 */
import type { Context, Tenant } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { decodeCursor, defaultPageSize, encodeCursor, type Page, type PageRequest } from '../../core/page.ts'
import { registry } from '../../core/tenant/directory.ts'
import { tenantsOf } from '../../core/tenant/sql.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { foldText } from '../../database/fold-text.ts'
import { TimeSlice } from '../../database/time-slice.ts'
import { searchedWords } from '../../entity/filter.ts'
import { lastKeyOf, matchingKeys, maxWords, type Window } from './sql.ts'

/** One statement tests these in some milliseconds. On SQLite, no other statement runs meanwhile. */
const tenantsPerWindow = 2000
/** After this time a page ends, although it may have fewer rows than its limit. The next page continues. */
const maxMs = 2000

/** @throws ServiceError `invalid` for too many words */
export function searchWords(text: string): string[] {
  return searchedWords(text, maxWords)
}

/** Whether every word occurs in the id or the name. */
export function hasWords({ id, name }: Tenant, words: readonly string[]): boolean {
  const texts = [foldTenantId(id), foldText(name)]
  return words.every((word) => texts.some((text) => text.includes(word)))
}

/**
 * A page of the tenants in which all words occur, in the order of their ids. If reading takes long, the page has fewer
 * rows than its limit although another page follows.
 * @throws ServiceError `invalid` for a foreign cursor, `unavailable` when counting takes too long
 */
export async function searchTenants(
  context: Context,
  words: readonly string[],
  { limit: given, cursor, isCounted = false }: PageRequest,
): Promise<Page<Tenant>> {
  // A caller that wants all rows gives an infinite limit: a search, which may be slow, has pages all the same.
  const limit = Number.isFinite(given) ? given : defaultPageSize
  const after = cursor === undefined ? '' : decodeCursor(cursor, (key) => key !== '' && !key.includes('\0'))
  const { keys, next } = await findKeys(context, words, { after, limit })
  const tenants = await tenantsOf(registry(context), keys)
  const items = tenants.toSorted((one, other) => keys.indexOf(keyOf(one)) - keys.indexOf(keyOf(other)))
  const page = { items, next: next === null ? null : encodeCursor(next) }
  return isCounted ? { ...page, total: await countMatches(context, words) } : page
}

const keyOf = ({ id }: Tenant) => foldTenantId(id)

/** @returns as `next` the key after which the next page begins */
async function findKeys(
  context: Context,
  words: readonly string[],
  { after, limit }: { after: string; limit: number },
): Promise<{ keys: string[]; next: string | null }> {
  const keys: string[] = []
  for await (const { window, isLate } of windowsAfter(context, after)) {
    const rest = limit + 1 - keys.length
    keys.push(...(await matchingKeys(registry(context), window, words, rest)))
    if (keys.length > limit) return { keys: keys.slice(0, limit), next: keys[limit - 1] ?? null }
    if (isLate && window.upTo !== undefined) return { keys, next: window.upTo }
  }
  return { keys, next: null }
}

async function countMatches(context: Context, words: readonly string[]): Promise<number> {
  let count = 0
  for await (const { window, isLate } of windowsAfter(context, '')) {
    if (isLate) throw refusal('tenantsNotCounted')
    count += (await matchingKeys(registry(context), window, words)).length
  }
  return count
}

/** Yields consecutive windows. Pauses between them, because a query on SQLite occupies the thread. */
async function* windowsAfter(
  context: Context,
  first: string,
): AsyncGenerator<{ window: Window; isLate: boolean }> {
  const endMs = performance.now() + maxMs
  const slice = new TimeSlice()
  for (let after = first; ; await slice.pause()) {
    const upTo = await lastKeyOf(registry(context), after, tenantsPerWindow)
    const window = upTo === null ? { after } : { after, upTo }
    yield { window, isLate: performance.now() > endMs }
    if (upTo === null) return
    after = upTo
  }
}
