/**
 * Names and values that differed before version 0.2.0, the first release, for taking over a database from that time.
 * Until then migrations were renamed, edited and joined; since then they never change, so that these lists are
 * complete.
 */

import { foldFunction } from '../fold-text.ts'

/** Migrations that no longer exist: migrations of other names create their tables now. */
export const formerMigrations: ReadonlySet<string> = new Set([
  'sealing-0001',
  'category-0001',
  'product-0001',
  'product-0002',
  'product-0003',
  'order-0002',
  'delivery-0002',
  'delivery-0003',
  'delivery-0004',
  'incoming-0004',
])

/** The former names of tables, by their present names. */
export const formerTables: Readonly<Record<string, string>> = {
  encrypted_column: 'sealed_column',
  pending_tenant: 'attended',
}

/**
 * The case-folded name of a category. Old databases allowed names that are equal now without case, such as `Straße` and
 * `STRASSE`: such rows keep their old key, which differs.
 */
const searchName = `CASE count(*) OVER (PARTITION BY tenant_id, ${foldFunction}(name))
  WHEN 1 THEN ${foldFunction}(name) ELSE name_key END`

/** The value of a column that a table did not have, by table and column: an expression on the old row. */
export const formerValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  category: { search_name: searchName },
  encrypted_column: { location: 'place' },
  session: { authenticated_at: 'created_at', last_used_at: 'created_at' },
  subscription: { access: "'user'" },
}

/** The migrations whose SQL functions `formerValues` calls, by table. */
export const functionMigrations: Readonly<Record<string, string>> = { category: 'entity-0001' }
