/** Reads versions until a page is full: of few rows or of few bytes, because a row may have megabytes. */
import type { SupersededVersion } from './sql.ts'

/** Versions that one statement reads. */
const batchSize = 16
const maxBytes = 2 * 1024 * 1024

export interface Bounded {
  versions: SupersededVersion[]
  /** Whether it ended before the wanted number although more may follow. */
  isCut: boolean
}

/** @param read the next versions after the given one, or the first */
export async function readBounded(
  wanted: number,
  read: (after: SupersededVersion | null, limit: number) => Promise<SupersededVersion[]>,
): Promise<Bounded> {
  const versions: SupersededVersion[] = []
  let bytes = 0
  while (versions.length < wanted) {
    // At least two, because what a version has changed is told by the version before.
    if (bytes > maxBytes && versions.length > 1) return { versions, isCut: true }
    const limit = Math.min(batchSize, wanted - versions.length)
    const batch = await read(versions.at(-1) ?? null, limit)
    versions.push(...batch)
    for (const { row } of batch) bytes += row?.length ?? 0
    if (batch.length < limit) break
  }
  return { versions, isCut: false }
}
