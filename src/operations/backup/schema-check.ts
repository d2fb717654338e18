/** Checks the schema of a backed-up file: the service must not run triggers or views that it has not created. */
import { describeUnknown, unknownMigrations } from '../../database/migrate/history.ts'
import type { Migration } from '../../database/migration.ts'
import { isDamage } from '../../database/sqlite/failure.ts'
import { foreignObjects } from '../archive/rows/foreign.ts'
import type { BackedUpFile } from './manifest.ts'

/** @returns a sentence about migrations of the file that are unknown here; `null` when all are known */
export function describeUnknownMigrations(entry: BackedUpFile, known: readonly Migration[]): string | null {
  const unknown = unknownMigrations(entry.migrations, known)
  return unknown.length === 0 ? null : `It has ${describeUnknown(unknown)}`
}

/**
 * Reads no row, and evaluates no part of the file's schema.
 * @param known the migrations of this version and its features; they include those of the file
 * @returns the first object that differs from what they create; `null` when there is none
 */
export async function foreignObject(
  path: string,
  { migrations }: BackedUpFile,
  known: readonly Migration[],
): Promise<string | null> {
  try {
    const [first] = await foreignObjects(
      path,
      { named: migrations, known },
      { tables: [], allowRuntimeObjects: true },
    )
    return first ?? null
  } catch (error) {
    if (isDamage(error)) return 'schema, which cannot be read,' // in the sentence, in the place of an object
    throw error
  }
}
