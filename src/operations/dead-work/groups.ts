/** Work that failed for good in all tenants, by tenant and group: counted on request, and cached for a while. */
import { CachedCount } from '../../core/cached-count.ts'
import type { ListKey } from '../../core/page.ts'

/** The maximum number of groups that are listed: those with the most dead work. Others follow once these are done. */
export const maxGroups = 1000

interface Sources<G> {
  clock: () => Date
  /** Counts the groups in the shared database. */
  count: () => Promise<G[]>
  /** The groups of the last counts in tenants' own databases, by tenant. */
  own?: () => Iterable<readonly [tenantId: string, groups: readonly G[]]>
  key: ListKey<G>
}

export class DeadGroups<G> {
  readonly #sources: Sources<G>
  readonly #shared: CachedCount<G[]>

  constructor(sources: Sources<G>) {
    this.#sources = sources
    this.#shared = new CachedCount(sources.clock, sources.count)
  }

  get key(): ListKey<G> {
    return this.#sources.key
  }

  /** @returns the groups in the order of their key @throws StatementTimedOut, DatabaseUnavailable */
  async list(): Promise<G[]> {
    const { key } = this.#sources
    const all = [...(await this.#shared.read()), ...this.#own.flatMap(([, groups]) => groups)]
    return all.sort((one, other) => (key.of(one) < key.of(other) ? -1 : 1))
  }

  /** Adds the tenants with their own database to those in the shared one, in the order of their ids. */
  withOwn(shared: readonly string[], after: string, limit: number): string[] {
    const own = this.#own.filter(([id, groups]) => groups.length > 0 && id > after).map(([id]) => id)
    return [...new Set([...shared, ...own])].toSorted().slice(0, limit)
  }

  get #own() {
    return [...(this.#sources.own?.() ?? [])]
  }
}

/**
 * The key of a list that has the groups with the most work first.
 * @param members of a group: the one with the number of items, and the one that names the group
 */
export function deadKey<C extends string, N extends string>({
  count,
  name,
}: {
  count: C
  name: N
}): ListKey<{ tenantId: string } & Record<C, number> & Record<N, string>> {
  return {
    of: (group) => {
      const rank = `${Number.MAX_SAFE_INTEGER - group[count]}`.padStart(16, '0')
      return `${rank}${group.tenantId}/${group[name]}`
    },
    accepts: (text) => /^\d{16}.+\/./.test(text),
  }
}
