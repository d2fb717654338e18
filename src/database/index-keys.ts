/** Finds the keys of an index with a look-up each, however many rows a key has: a loose index scan. */
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { QueueTables } from './tenant-tables.ts'

/** The key of the scan, for statements that look up more of it. */
export const scannedKey = sql.ref<string>('scan.key')

interface IndexKeys<T extends keyof QueueTables> {
  /** The rows that the index has. */
  rows: SelectQueryBuilder<QueueTables, T, object>
  /** The first column of the index, as the index has it. */
  key: RawBuilder<string>
  range: { after: string; limit: number }
}

/** @returns a query of the keys after one, in order, to which more can be added */
export function indexKeys<T extends keyof QueueTables>(
  tables: Kysely<QueueTables>,
  { rows, key, range }: IndexKeys<T>,
) {
  const first = rows.select(({ fn }) => fn.min<string | null>(key).as('key'))
  return tables
    .withRecursive('scan(key)', (query) =>
      first.where(key, '>', range.after).unionAll(
        query
          .selectFrom('scan')
          .select(first.where(key, '>', scannedKey).as('key'))
          .where('scan.key', 'is not', null),
      ),
    )
    .selectFrom('scan')
    .select(scannedKey.as('key'))
    .where('scan.key', 'is not', null)
    .limit(range.limit)
}
