/** Scans a queue for its keys, to find when each has due work. */

export interface DueAt {
  key: string
  /** When work of the key is due first, as ISO 8601; `null` for a key without pending work. */
  dueAt: string | null
}

const maxKeysAtOnce = 500

/** @param page the keys after one, in order @returns every key with pending work, see `dueMsOf` */
export async function scanPages(
  page: (range: { after: string; limit: number }) => Promise<readonly DueAt[]>,
): Promise<Map<string, number>> {
  const found: DueAt[] = []
  for (let after = ''; ; ) {
    const rows = await page({ after, limit: maxKeysAtOnce })
    found.push(...rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < maxKeysAtOnce) return dueMsOf(found)
    after = last.key
  }
}

/**
 * @param rows if a key occurs in several rows, because each row is one piece of work, the earliest due row comes first
 * @returns when each key with pending work is due first, in Unix milliseconds
 */
export function dueMsOf(rows: readonly DueAt[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const { key, dueAt } of rows) if (dueAt !== null && !found.has(key)) found.set(key, Date.parse(dueAt))
  return found
}
