/**
 * What was named otherwise before version 0.2.0, the first release, or was missing. Until then migrations were renamed,
 * edited and joined; from then on an applied migration never changes, and these lists are complete.
 */

import { foldFunction } from '../fold-text.ts'

/** Migrations whose tables others create by now. */
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

/** Names differed that do not without case, such as `Straße` and `STRASSE`. They still do. */
const searchName = `CASE count(*) OVER (PARTITION BY tenant_id, ${foldFunction}(name))
  WHEN 1 THEN ${foldFunction}(name) ELSE name_key END`

/** The value of a column that a table did not have: an expression on its row. The columns that it names are gone. */
export const formerValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  category: { search_name: searchName },
  encrypted_column: { location: 'place' },
  session: { authenticated_at: 'created_at', last_used_at: 'created_at' },
  subscription: { access: "'user'" },
}

/** Migrations whose functions these expressions call, by the table with such a value. */
export const functionMigrations: Readonly<Record<string, string>> = { category: 'entity-0001' }
