/** Rows that a page names one by one are read with one request, by their ids. */

interface Named {
  id: string
}

/** The most that one request reads. */
const maxIds = 100
/** The rows of a page are drawn within this time. */
const waitMs = 10

const batches = new Map<string, { ids: Set<string>; rows: Promise<Map<string, Named>> }>()

/** @param read the rows of ids, which are separated by commas @returns `null` for no row @throws ApiError */
export async function readTogether<T extends Named>(
  kind: string,
  id: string,
  read: (ids: string) => Promise<readonly T[]>,
): Promise<T | null> {
  let batch = batches.get(kind)
  if (batch === undefined || batch.ids.size >= maxIds) {
    const ids = new Set<string>()
    const readAll = async () => {
      await new Promise((done) => setTimeout(done, waitMs))
      batches.delete(kind)
      return new Map((await read([...ids].join(','))).map((row) => [row.id, row]))
    }
    batch = { ids, rows: readAll() }
    batches.set(kind, batch)
  }
  batch.ids.add(id)
  return ((await batch.rows).get(id) ?? null) as T | null // each kind has its reader
}
