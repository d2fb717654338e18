/** Folds texts again that were stored before their folding changed. */
import type { Transaction } from '../executor.ts'
import { foldedPrefix, foldFunction } from '../fold-text.ts'
import { tenantColumn } from '../scope.ts'
import { quote } from '../sql-text.ts'
import { columnsByTable } from './tables.ts'

/** A text whose folding another row has where it must be unique keeps the former one. */
export async function foldAgain(transaction: Transaction): Promise<void> {
  for (const [table, columns] of await columnsByTable(transaction)) {
    const texts = [...columns].filter((column) => columns.has(`${foldedPrefix}${column}`))
    if (!columns.has(tenantColumn)) continue
    for (const text of texts) await foldColumn(transaction, quote(table), text)
  }
}

async function foldColumn(transaction: Transaction, table: string, column: string): Promise<void> {
  const [text, folded] = [quote(column), quote(`${foldedPrefix}${column}`)]
  const change = `SET ${folded} = ${foldFunction}(${text})`
  // The folding of ASCII has never changed.
  const differs = `octet_length(${text}) <> length(${text}) AND ${folded} <> ${foldFunction}(${text})`
  if (transaction.dialect === 'postgres') {
    await transaction.run(foldEach(table, change, differs), [], false)
    return
  }
  const sql = `UPDATE OR IGNORE ${table} ${change} WHERE ${differs}`
  // A row may take the folding that a further one gives up.
  while ((await transaction.run(sql, [], false)).affected > 0);
}

/** Row by row: there is no UPDATE that goes on after a conflict. */
function foldEach(table: string, change: string, condition: string): string {
  return `DO $do$ DECLARE place tid; BEGIN
    FOR place IN SELECT ctid FROM ${table} WHERE ${condition} LOOP
      BEGIN
        UPDATE ${table} ${change} WHERE ctid = place;
      EXCEPTION WHEN unique_violation THEN NULL;
      END;
    END LOOP;
  END $do$`
}
