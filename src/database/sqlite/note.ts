/**
 * Lets a statement that writes a row report one fact about it, by evaluating the SQL function `note()`. RETURNING would
 * cost as much as inserting the row.
 */
import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'

const note = 'note'

/** An expression that sets the note when SQLite evaluates it. Its value is always `null`. */
export const noted = sql<null>`${sql.raw(note)}()`

export interface Note {
  isMade: boolean
}

/** @returns the note, which `Statements` resets before each statement and reads after it */
export function defineNote(connection: DatabaseSync): Note {
  const made: Note = { isMade: false }
  connection.function(note, { directOnly: true }, () => {
    made.isMade = true
    return null
  })
  return made
}
