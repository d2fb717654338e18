/** A text that a SQLite file carries along, in a table of its own. */
import type { Database } from '../../../database/executor.ts'
import { openForInspection } from '../../../database/sqlite/existing-file.ts'

const table = 'manifest'
/** As it is written, and as SQLite keeps it: a view of this name could do anything. */
export const noteTable = `CREATE TABLE ${table} (content TEXT NOT NULL)`
const maxBytes = 16 * 1024 * 1024

/** There is none yet. */
export async function writeNote(database: Database, text: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(noteTable, [], false)
    await transaction.run(`INSERT INTO ${table} (content) VALUES (?)`, [text], false)
  })
}

/** Changes no byte. @returns `null` when it cannot be read, for whatever reason */
export function readNote(path: string): string | null {
  try {
    const file = openForInspection(path)
    try {
      const made = file.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)
      if (made?.['sql'] !== noteTable) return null
      const small = `SELECT content FROM ${table} WHERE octet_length(content) <= ${maxBytes}`
      const content = file.prepare(small).get()?.['content']
      return typeof content === 'string' ? content : null
    } finally {
      file.close()
    }
  } catch {
    return null // no file, no database, no such table, or damaged: all the same to who asks
  }
}
