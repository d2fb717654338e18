/** A text that a SQLite file carries along, in a table of its own. */
import type { Database } from '../executor.ts'
import { lookInto } from '../sqlite/read-only.ts'

const table = 'manifest'

/** There is none yet. */
export async function writeNote(database: Database, text: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(`CREATE TABLE ${table} (content TEXT NOT NULL)`, [], false)
    await transaction.run(`INSERT INTO ${table} (content) VALUES (?)`, [text], false)
  })
}

/** Changes no byte. @returns `null` when it cannot be read, for whatever reason */
export function readNote(path: string): string | null {
  try {
    const file = lookInto(path)
    try {
      const content = file.prepare(`SELECT content FROM ${table}`).get()?.['content']
      return typeof content === 'string' ? content : null
    } finally {
      file.close()
    }
  } catch {
    return null // no file, no database, no such table, or damaged: all the same to who asks
  }
}
