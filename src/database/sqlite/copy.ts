/** A copy of a SQLite file that others are writing to, as it was at one moment; and what a file has in it. */

import { backup, type DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { makePrivateFile } from '../../private-file.ts'
import { quote } from '../sql-text.ts'
import { openExisting } from './existing-file.ts'
import { tellsOfDamage, translate } from './failure.ts'
import { lookInto } from './read-only.ts'

/** One MiB with the usual pages: a step holds nothing that a writer waits for, and is over in a moment. */
const pagesPerStep = 256
const busyTimeoutMs = 5000

export interface FileContents {
  /** How many are in each table. */
  rows: Record<string, number>
  /** The names of the migrations that were applied. */
  migrations: string[]
}

/** SQLite finds faults in it, or it is not what it should be. */
export class DamagedFile extends Error {
  constructor(path: string, fault: string) {
    super(`The database file ${path} is damaged: ${fault}`)
  }
}

/**
 * All reads of the copy are in one transaction, so that writers neither wait for it nor make it begin again.
 * @param to there is no file yet
 * @returns what is in the copy, which is checked @throws DatabaseUnavailable, DamagedFile
 */
export async function copySqlite(from: string, to: string): Promise<FileContents> {
  try {
    const contents = await copyAtOneMoment(from, to)
    const copied = inspectSqlite(to, from)
    if (!isDeepStrictEqual(copied, contents)) throw new DamagedFile(from, 'its copy has other rows')
    return copied
  } catch (error) {
    throw tellsOfDamage(error) ? new DamagedFile(from, error.message) : translate(error)
  }
}

/**
 * Reads all of a file that nobody has open.
 * @param shown what an error calls it @throws DamagedFile, DatabaseUnavailable
 */
export function inspectSqlite(path: string, shown = path): FileContents {
  const file = lookInto(path)
  try {
    const faults = file.prepare('PRAGMA integrity_check(1)').all()
    const [first] = faults.map((row) => String(row['integrity_check']))
    if (first !== 'ok') throw new DamagedFile(shown, first ?? 'it cannot be checked')
    return contentsOf(file)
  } catch (error) {
    throw tellsOfDamage(error) ? new DamagedFile(shown, error.message) : translate(error)
  } finally {
    file.close()
  }
}

async function copyAtOneMoment(from: string, to: string): Promise<FileContents> {
  makePrivateFile(to)
  const source = openExisting(from, busyTimeoutMs)
  try {
    source.exec('BEGIN')
    const contents = contentsOf(source)
    await backup(source, to, { rate: pagesPerStep })
    source.exec('COMMIT')
    return contents
  } finally {
    source.close()
  }
}

function contentsOf(file: DatabaseSync): FileContents {
  const named =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
  const tables = file
    .prepare(named)
    .all()
    .map(({ name }) => String(name))
  const rows = tables.map((table) => {
    const counted = file.prepare(`SELECT count(*) AS n FROM ${quote(table)}`).get()
    return [table, Number(counted?.['n'])] as const
  })
  const applied = tables.includes('migration')
    ? file.prepare('SELECT name FROM migration ORDER BY name').all()
    : []
  return { rows: Object.fromEntries(rows), migrations: applied.map(({ name }) => String(name)) }
}
