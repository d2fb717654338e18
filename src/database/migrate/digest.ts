/** Digests of migrations: an applied migration never changes. */
import { createHash } from 'node:crypto'
import { columnTypes, type Migration } from '../migration.ts'
import { withoutLayout } from '../schema/split-statements.ts'

/** Digests by the function that makes the statements: copies of a migration share it, and so its digest. */
const digests = new WeakMap<Migration['statements'], string>()

/** @returns a digest of its statements on both databases, without comments, blanks and line ends */
export function digestOf(migration: Migration): string {
  const known = digests.get(migration.statements)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const dialect of ['sqlite', 'postgres'] as const)
    for (const statement of migration.statements(columnTypes[dialect], dialect))
      hash.update(`${dialect}: ${withoutLayout(statement, dialect)}\n`)
  const digest = hash.digest('hex').slice(0, 32)
  digests.set(migration.statements, digest)
  return digest
}
