/** Collects the ids of rows that the parts of a page need one by one, and reads them with one request. */

interface Named {
  id: string
}

type Read<T> = (ids: string) => Promise<readonly T[]>

/** The maximum number of rows in one request. */
const maxIds = 100
/** How long ids are collected: the rows of a page are drawn within this time. */
const waitMs = 10

interface Batch {
  ids: Set<string>
  rows: Promise<Map<string, Named>>
}

const batches = new Map<string, Batch>()

/** Forgets the collected ids at a sign-out: the next user must not get rows that another one has read. */
export function forgetBatches(): void {
  batches.clear()
}

/** @param read reads the rows of ids, which are separated by commas @returns `null` for no row @throws ApiError */
export async function readTogether<T extends Named>(
  kind: string,
  id: string,
  read: Read<T>,
): Promise<T | null> {
  let batch = batches.get(kind)
  if (batch === undefined || batch.ids.size >= maxIds) {
    batch = beginBatch(kind, read)
    batches.set(kind, batch)
  }
  batch.ids.add(id)
  return ((await batch.rows).get(id) ?? null) as T | null // each kind has its reader
}

function beginBatch(kind: string, read: Read<Named>): Batch {
  const ids = new Set<string>()
  const readAll = async () => {
    await new Promise((done) => setTimeout(done, waitMs))
    if (batches.get(kind)?.ids === ids) batches.delete(kind)
    return new Map((await readValid([...ids], read)).map((row) => [row.id, row]))
  }
  return { ids, rows: readAll() }
}

/** Reads the rows. If the service refuses the request because of one malformed id, the others are read in halves. */
async function readValid(ids: readonly string[], read: Read<Named>): Promise<readonly Named[]> {
  try {
    return await read(ids.join(','))
  } catch (error) {
    if (!isRefused(error)) throw error
    if (ids.length === 1) return []
    const half = Math.ceil(ids.length / 2)
    const parts = await Promise.all(
      [ids.slice(0, half), ids.slice(half)].map((part) => readValid(part, read)),
    )
    return parts.flat()
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400
}
