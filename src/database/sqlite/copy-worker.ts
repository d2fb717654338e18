/** The thread that copies and checks whole files, which may be large. `copy.ts` sends its tasks. */
import { backup, type DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { parentPort } from 'node:worker_threads'
import type { CopyReply, CopyRequest, FileContents } from './copy.ts'
import { openExisting, openForInspection } from './existing-file.ts'

/** The pages that one step of a backup copies: 1 MiB by default, which is short for writers that wait meanwhile. */
const pagesPerStep = 256
const busyTimeoutMs = 5000

/** A fault that SQLite finds in the file. */
class Fault extends Error {}

parentPort?.on('message', async (request: CopyRequest) => {
  parentPort?.postMessage(await replyTo(request))
})

async function replyTo({ id, path, to }: CopyRequest): Promise<CopyReply> {
  try {
    return { id, value: to === null ? inspect(path) : await copy(path, to), failure: null }
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    return {
      id,
      value: null,
      failure: { message, isFault: error instanceof Fault, detail: { ...Object(error) } },
    }
  }
}

/** Copies the file, and checks that the copy is intact and has the same rows. */
async function copy(from: string, to: string): Promise<FileContents> {
  const contents = await copyAtOneMoment(from, to)
  const copied = inspect(to)
  if (!isDeepStrictEqual(copied, contents)) throw new Fault('its copy has other rows')
  return copied
}

function inspect(path: string): FileContents {
  using file = openForInspection(path)
  const faults = file.prepare('PRAGMA integrity_check(1)').all()
  const [first] = faults.map((row) => String(row['integrity_check']))
  if (first !== 'ok') throw new Fault(first ?? 'it cannot be checked')
  return contentsOf(file)
}

/** Reads in one transaction, so that changes of writers neither appear in the copy nor make it begin again. */
async function copyAtOneMoment(from: string, to: string): Promise<FileContents> {
  using source = openExisting(from, busyTimeoutMs)
  source.exec('BEGIN')
  const contents = contentsOf(source)
  await backup(source, to, { rate: pagesPerStep })
  source.exec('COMMIT')
  return contents
}

function contentsOf(file: DatabaseSync): FileContents {
  // `%w` formats a name between quotes.
  const tables = file
    .prepare(
      `SELECT name, format('SELECT count(*) AS n FROM "%w"', name) AS counting FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()
  const rows = tables.map(({ name, counting }) => {
    return [String(name), Number(file.prepare(String(counting)).get()?.['n'])] as const
  })
  const applied = tables.some(({ name }) => name === 'migration')
    ? file.prepare('SELECT name FROM migration ORDER BY name').all()
    : []
  return { rows: Object.fromEntries(rows), migrations: applied.map(({ name }) => String(name)) }
}
