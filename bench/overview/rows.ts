/**
 * The search over all entities and the first page of a tenant with many rows, and a bulk request beside the reads and
 * writes of another tenant.
 */

import type { Client } from '../../test/support/client.ts'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import type { DatabaseName } from '../../test/support/databases.ts'
import type { Finding } from '../row/finding.ts'
import { type Stage, startStage } from './stage.ts'

export const row = 'overview'

const searchTargetMs = 300
const homeTargetMs = 500
const times = 40
const bulkRows = 1000
const aloneMs = 1500

export async function measureOverview(rows: number): Promise<Finding[]> {
  const findings = await measureOn('sqlite', rows)
  const server = await startPostgres()
  process.env['TEST_POSTGRES_URL'] = server.url
  try {
    return [...findings, ...(await measureOn('postgres', rows))]
  } finally {
    delete process.env['TEST_POSTGRES_URL']
    await server.stop()
  }
}

async function measureOn(database: DatabaseName, rows: number): Promise<Finding[]> {
  const stage = await startStage(database, rows)
  const on = `of ${rows} rows on ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`
  try {
    return [
      await measureSearch(stage, on),
      findingOf(
        `the first page ${on}`,
        await timesOf(times, () => get(stage.admin, '/api/home')),
        homeTargetMs,
      ),
      await measureBulk(stage, on),
    ]
  } finally {
    await stage.stop()
  }
}

/** The slowest of texts that many rows have, few, none, that is part of words, and that is a number or an id. */
async function measureSearch({ admin, ticketId }: Stage, on: string): Promise<Finding> {
  const texts = ['oak', 'table of', 'zzz', '4711', 'rint', ticketId]
  const taken: [text: string, ms: number[]][] = []
  let cut = 0
  for (const q of texts) {
    const address = `/api/search?${new URLSearchParams({ q })}`
    const ask = async () => {
      const { leftOut } = (await get(admin, address)) as { leftOut: string[] } // as the search answers
      cut += leftOut.length
    }
    taken.push([q, await timesOf(times, ask)])
  }
  const [text, slowest] = taken.reduce((one, other) => (p95(other[1]) > p95(one[1]) ? other : one))
  const finding = findingOf(`the slowest search, "${text}", ${on}`, slowest, searchTargetMs)
  const detail = `${finding.detail}; ${cut} of ${texts.length * times} took too long to be answered whole`
  return { ...finding, reached: finding.reached && cut === 0, detail }
}

async function measureBulk({ admin, other }: Stage, on: string): Promise<Finding> {
  const ids: string[] = []
  for (let from = 1; from <= bulkRows; from += 100) {
    const page = await get(admin, `/api/tickets?number[gte]=${from}&number[lt]=${from + 100}&limit=100`)
    ids.push(...(page as { id: string }[]).map(({ id }) => id)) // as the list answers
  }
  const endsMs = performance.now() + aloneMs
  const alone = await askedUntil(other, () => performance.now() > endsMs)
  let isDone = false
  const begin = performance.now()
  const bulk = admin
    .post('/api/tickets/bulk', { ids, do: 'change', input: { state: 'closed' } })
    .then((answer) => {
      isDone = true
      if (answer.body.done !== bulkRows) throw new Error(answer.text)
      return performance.now() - begin
    })
  const beside = await askedUntil(other, () => isDone)
  return {
    row,
    work: `a bulk change of ${bulkRows} rows ${on}`,
    figure: inMs(await bulk),
    target: null,
    reached: true,
    detail: `p95 of another tenant meanwhile: reads ${inMs(p95(beside.reads))} (alone ${inMs(p95(alone.reads))}), writes ${inMs(p95(beside.writes))} (alone ${inMs(p95(alone.writes))})`,
  }
}

/** One reader and one writer. */
async function askedUntil(client: Client, isOver: () => boolean) {
  const [reads, writes]: [number[], number[]] = [[], []]
  const repeat = async (taken: number[], ask: () => Promise<unknown>) => {
    while (!isOver()) taken.push(...(await timesOf(1, ask)))
  }
  await Promise.all([
    repeat(reads, () => get(client, '/api/tickets?limit=50')),
    repeat(writes, () => client.post('/api/tickets', { subject: 'meanwhile' })),
  ])
  return { reads, writes }
}

async function get(client: Client, path: string): Promise<unknown> {
  const answer = await client.get(path)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

async function timesOf(count: number, ask: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  while (taken.length < count) {
    const begin = performance.now()
    await ask()
    taken.push(performance.now() - begin)
  }
  return taken
}

function findingOf(work: string, taken: readonly number[], targetMs: number): Finding {
  return {
    row,
    work,
    figure: inMs(p95(taken)),
    target: `≤ ${targetMs} ms`,
    reached: p95(taken) <= targetMs,
    detail: `95th percentile of ${taken.length}; median ${inMs(quantile(taken, 0.5))}`,
  }
}

function p95(taken: readonly number[]): number {
  return quantile(taken, 0.95)
}

function quantile(taken: readonly number[], share: number): number {
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * share)] ?? Number.NaN
}

function inMs(ms: number): string {
  return `${ms.toFixed(1)} ms`
}
