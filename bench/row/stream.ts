/** A list without end: how much memory it takes to send all of it. */
import { get, type IncomingMessage } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { initialize, type RunningService, removeFolder, startService } from '../service.ts'
import { peakWhile, residentMb } from '../usage.ts'
import type { Finding } from './finding.ts'

const targetMb = 64
const sampleMs = 20
const rowStart = Buffer.from('{"id":"')

export async function measureStream(rows: number): Promise<Finding> {
  const service = await seededService(rows)
  const { token, send } = await initialize(service.url)
  for (let warm = 0; warm < 20; warm++) await send('GET', '/api/products?limit=50')
  const restMb = residentMb(service.pid)
  const begin = performance.now()
  const { value, peakMb } = await peakWhile(service.pid, sampleMs, () => readAll(service.url, token))
  const seconds = (performance.now() - begin) / 1000
  await service.stop()
  removeFolder(service.folder)
  if (value.rows !== rows || !value.whole) throw new Error(`${value.rows} of ${rows} rows came.`)
  const grownMb = peakMb - restMb
  return {
    row: 'stream',
    work: `memory grown by a list of ${rows} products`,
    figure: `${grownMb.toFixed(0)} MB`,
    target: `≤ ${targetMb} MB`,
    reached: grownMb <= targetMb,
    detail: `${restMb.toFixed(0)} → ${peakMb.toFixed(0)} MB; all rows, ${(value.bytes / 1e6).toFixed(0)} MB of JSON in ${seconds.toFixed(1)} s`,
  }
}

/** The service makes its schema; the rows are put in while it is stopped. */
async function seededService(rows: number): Promise<RunningService> {
  const first = await startService()
  await first.stop()
  const database = new DatabaseSync(first.databaseFile)
  database.exec('PRAGMA synchronous = OFF')
  database
    .prepare(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO product (tenant_id, id, name, search_name, description, price, is_active, created_at, updated_at, version)
      SELECT 'default', printf('01990000-0000-7000-8000-%012x', i), 'Walnut desk ' || i, 'walnut desk ' || i,
        'A desk of solid walnut with drawers on both sides.', i * 0.25, 1,
        '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1
      FROM n`)
    .run(rows)
  database.close()
  return startService({}, first.folder)
}

interface Received {
  rows: number
  bytes: number
  /** Begins and ends as an array does. */
  whole: boolean
}

function readAll(url: string, token: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    get(`${url}/api/products`, { headers }, (response) => count(response).then(resolve, reject)).once(
      'error',
      reject,
    )
  })
}

/** Counts without parsing: no text in the rows looks like the start of one. */
async function count(response: IncomingMessage): Promise<Received> {
  let rows = 0
  let bytes = 0
  let first = ''
  let tail: Buffer = Buffer.alloc(0)
  for await (const chunk of response as AsyncIterable<Buffer>) {
    first ||= chunk.toString('latin1', 0, 1)
    bytes += chunk.length
    const text = Buffer.concat([tail, chunk])
    for (let at = text.indexOf(rowStart); at >= 0; at = text.indexOf(rowStart, at + rowStart.length)) rows++
    tail = text.subarray(-(rowStart.length - 1))
  }
  return { rows, bytes, whole: first === '[' && tail.toString().endsWith('}]') }
}
