/** The contents of files in an archive, in parts that fit into memory. */
import type { Database, Executor } from '../../../database/executor.ts'
import { findRow, refuse } from './check.ts'

/** An imported file must declare the table by exactly this statement: a view of its name could evaluate anything. */
export const filePartTable =
  'CREATE TABLE file_part (file TEXT NOT NULL, position INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (file, position))'

export const filePartShape = { name: 'file_part', primary: ['file', 'position'] } as const

const fileShape = { name: 'file', primary: ['tenant_id', 'id'] } as const

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

/** Reads the parts of a file in their order, one at a time. */
export async function* readFileParts(executor: Executor, file: string): AsyncGenerator<Uint8Array> {
  const sql = 'SELECT bytes FROM file_part WHERE file = ? AND position = ?'
  for (let position = 0; ; position++) {
    const { rows } = await executor.run(sql, [file, position], true)
    const bytes = rows[0]?.['bytes']
    if (!(bytes instanceof Uint8Array)) return
    yield bytes
  }
}

/**
 * Called before any content is read.
 * @param tenant `null` for an archive without contents
 * @throws ServiceError `invalid` for contents that are not exactly those of the files
 */
export async function refuseForeignParts(executor: Executor, tenant: string | null): Promise<void> {
  if (tenant === null) return refuseFiles(executor)
  const { name } = filePartShape
  const isOrphaned = 'NOT EXISTS (SELECT 1 FROM file AS f WHERE f.tenant_id = ? AND f.id = c.file)'
  const orphan = await findRow(executor, filePartShape, isOrphaned, [tenant])
  if (orphan !== null) refuse(name, orphan, 'file: must name a row of file')
  const isGap = 'NOT c.position BETWEEN 0 AND (SELECT count(*) - 1 FROM file_part AS p WHERE p.file = c.file)'
  const gap = await findRow(executor, filePartShape, isGap)
  if (gap !== null) refuse(name, gap, 'position: must count from 0')
  const length = '(SELECT coalesce(sum(length(p.bytes)), 0) FROM file_part AS p WHERE p.file = c.id)'
  const differing = await findRow(executor, fileShape, `c.size <> ${length}`)
  if (differing !== null) refuse('file', differing, 'size: must be that of its content')
}

async function refuseFiles(executor: Executor): Promise<void> {
  const any = await findRow(executor, fileShape, 'true')
  if (any !== null) refuse('file', any, 'size: must be that of its content')
}
