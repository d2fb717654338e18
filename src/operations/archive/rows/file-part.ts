/** The contents of files in an archive, in parts that fit into memory. */
import type { Database, Executor } from '../../../database/executor.ts'

/** Compared with the text in the schema of a file, like the manifest. */
export const filePartTable =
  'CREATE TABLE file_part (file TEXT NOT NULL, position INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (file, position))'

export interface FilePartRow {
  file: string
  position: number
  bytes: Uint8Array
}

export async function createFileParts(archive: Database): Promise<void> {
  await archive.executor.run(filePartTable, [], false)
}

export async function writeFilePart(
  archive: Database,
  { file, position, bytes }: FilePartRow,
): Promise<void> {
  const sql = 'INSERT INTO file_part (file, position, bytes) VALUES (?, ?, ?)'
  await archive.transaction((transaction) => transaction.run(sql, [file, position, bytes], true))
}

/** In their order, one at a time. */
export async function* readFileParts(executor: Executor, file: string): AsyncGenerator<Uint8Array> {
  const sql = 'SELECT bytes FROM file_part WHERE file = ? AND position = ?'
  for (let position = 0; ; position++) {
    const { rows } = await executor.run(sql, [file, position], true)
    const bytes = rows[0]?.['bytes']
    if (!(bytes instanceof Uint8Array)) return
    yield bytes
  }
}
