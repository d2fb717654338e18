/**
 * What a statement that writes tells about its row, beside the number of rows. To return a column costs as much as to
 * insert the row.
 */
import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'

const note = 'note'

/** Notes something as it is evaluated; always `null`. */
export const noted = sql<null>`${sql.raw(note)}()`

export interface Note {
  isMade: boolean
}

/** @returns the last note, for whoever runs the statements of the connection */
export function defineNote(connection: DatabaseSync): Note {
  const made: Note = { isMade: false }
  connection.function(note, { directOnly: true }, () => {
    made.isMade = true
    return null
  })
  return made
}
