/** Stores the case-folded form of texts again after a migration has changed how text is folded. */
import type { Transaction } from '../executor.ts'
import { caseFoldedPrefix, foldFunction } from '../fold-text.ts'
import { tenantColumn } from '../scope.ts'
import { quote } from '../sql-text.ts'
import { tablesOf } from './tables.ts'

/** A row keeps its old folded text if the new one must be unique and another row has it already. */
export async function foldAgain(transaction: Transaction): Promise<void> {
  for (const table of await tablesOf(transaction)) {
    const columns = await textColumns(transaction, table)
    if (!columns.has(tenantColumn)) continue
    for (const column of columns)
      if (columns.has(`${caseFoldedPrefix}${column}`)) await foldColumn(transaction, quote(table), column)
  }
}

async function textColumns(transaction: Transaction, table: string): Promise<Set<string>> {
  const sql =
    transaction.dialect === 'sqlite'
      ? "SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'"
      : `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass(quote_ident($1))
         AND attnum > 0 AND NOT attisdropped AND atttypid = 'text'::regtype`
  const { rows } = await transaction.run(sql, [table], false)
  return new Set(rows.map(({ name }) => String(name)))
}

async function foldColumn(transaction: Transaction, table: string, column: string): Promise<void> {
  const [text, caseFolded] = [quote(column), quote(`${caseFoldedPrefix}${column}`)]
  const change = `SET ${caseFolded} = ${foldFunction}(${text})`
  // The folding of ASCII has never changed.
  const differs = `octet_length(${text}) <> length(${text}) AND ${caseFolded} <> ${foldFunction}(${text})`
  if (transaction.dialect === 'postgres') {
    await transaction.run(foldEach(table, change, differs), [], false)
    return
  }
  const sql = `UPDATE OR IGNORE ${table} ${change} WHERE ${differs}`
  // A row that was skipped may succeed in the next run, after another row has changed the text that was in its way.
  while ((await transaction.run(sql, [], false)).affected > 0);
}

/** Folds row by row, because PostgreSQL has no UPDATE that continues after a conflict. Runs again as on SQLite. */
function foldEach(table: string, change: string, condition: string): string {
  return `DO $do$ DECLARE place tid; hasChanged boolean; BEGIN
    LOOP
      hasChanged := false;
      FOR place IN SELECT ctid FROM ${table} WHERE ${condition} LOOP
        BEGIN
          UPDATE ${table} ${change} WHERE ctid = place;
          hasChanged := true;
        EXCEPTION WHEN unique_violation THEN NULL;
        END;
      END LOOP;
      EXIT WHEN NOT hasChanged;
    END LOOP;
  END $do$`
}
