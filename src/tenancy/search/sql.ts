/** Statements that look for tenants in a window of the catalogue: the tenants after one key, up to another. */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { defined } from '../../core/defined.ts'
import type { InstallationData } from '../../database/data.ts'
import type { Dialect } from '../../database/executor.ts'
import { eachOf, prepareForInstallation } from '../../database/prepared.ts'

export interface Window {
  /** The key after which it begins; empty for the first. */
  after: string
  /** The key of its last tenant; absent where no tenant follows. */
  upTo?: string
}

const lastKey = prepareForInstallation((tables, p: { after: string; skipped: number }) =>
  tables
    .selectFrom('tenant')
    .select('id_key')
    .where('id_key', '>', p.after)
    .orderBy('id_key')
    .offset(p.skipped)
    .limit(1),
)

/** @param tenants the size of a window @returns the key of its last tenant; `null` if fewer tenants follow */
export async function lastKeyOf(
  installation: InstallationData,
  after: string,
  tenants: number,
): Promise<string | null> {
  return (await installation.first(lastKey, { after, skipped: tenants - 1 }))?.id_key ?? null
}

/** One parameter for each word: a list as one parameter would be parsed again for every tenant. */
const words = ['word1', 'word2', 'word3', 'word4', 'word5', 'word6', 'word7', 'word8'] as const
export const maxWords = words.length

type Words = Partial<Record<(typeof words)[number], string>>

const matching = eachOf(
  prepareForInstallation,
  (tables, p: Window & Words & { limit?: number }, dialect, given) => {
    let query = tables.selectFrom('tenant').select('id_key').where('id_key', '>', p.after).orderBy('id_key')
    if (given.has('upTo')) query = query.where('id_key', '<=', p.upTo ?? '')
    for (const name of words) if (given.has(name)) query = query.where(occurs(dialect, p[name] ?? ''))
    return given.has('limit') ? query.limit(p.limit ?? 0) : query
  },
)

function occurs(dialect: Dialect, word: string): RawBuilder<SqlBool> {
  return dialect === 'postgres'
    ? sql<SqlBool>`(strpos(id_key, ${word}) > 0 or strpos(fold_text(name), ${word}) > 0)`
    : sql<SqlBool>`(instr(id_key, ${word}) > 0 or instr(fold_text(name), ${word}) > 0)`
}

/** @param all case-folded words, each of which must occur in the id or the name @returns sorted keys of tenants */
export async function matchingKeys(
  installation: InstallationData,
  window: Window,
  all: readonly string[],
  limit?: number,
): Promise<string[]> {
  const named: Words = Object.fromEntries(words.map((name, index) => [name, all[index]]).slice(0, all.length))
  const parameters = defined({ ...window, ...named, limit })
  return (await installation.all(matching(parameters), parameters)).map(({ id_key: key }) => key)
}
