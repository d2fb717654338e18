/** What the files of a backup are made of: nothing may run in them that the service has not made. */

import { describeUnknown, type Migration } from '../../database/migration.ts'
import { tellsOfDamage } from '../../database/sqlite/failure.ts'
import { foreignObjects } from '../archive/rows/foreign.ts'
import type { BackedUpFile } from './manifest.ts'

/** @returns what to say of migrations of the file that are not known here; `null` when all are */
export function unknownFeatures(entry: BackedUpFile, known: readonly Migration[]): string | null {
  const names = new Set(known.map(({ name }) => name))
  const unknown = entry.migrations.filter((name) => !names.has(name))
  return unknown.length === 0 ? null : `It has ${describeUnknown(unknown)}`
}

/**
 * Reads no row, and runs nothing that the file has in it.
 * @param known the migrations of this version and its features, those of the file among them
 * @returns the first thing that is not as they make it; `null` when there is none
 */
export async function foreignObject(
  path: string,
  { migrations }: BackedUpFile,
  known: readonly Migration[],
): Promise<string | null> {
  try {
    const [first] = await foreignObjects(path, { named: migrations, known }, { tables: [], ofUse: true })
    return first ?? null
  } catch (error) {
    if (tellsOfDamage(error)) return 'schema, which cannot be read,'
    throw error
  }
}
