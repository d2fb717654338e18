/**
 * What rules of rows cost: the processor time of a request under a rule, of the service and of PostgreSQL, by that of the
 * cheapest request that states the same. Both are sent in turns.
 */
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import type { LoadRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import { databaseAt } from '../row/contest.ts'
import { type Finding, median, range } from '../row/finding.ts'
import type { Rounds } from '../row/turns.ts'
import { processorMs } from './processor.ts'
import {
  counts,
  idOf,
  memberOf,
  type Reach,
  reachedIndex,
  reaches,
  type Stage,
  startStage,
  valuesOf,
} from './stage.ts'
import { measureTypes } from './types.ts'

export const row = 'access'

const ruledTarget = 1.1
const unruledTarget = 1.02
/** Few, so that the figure is that of a request and not of a queue. */
const connections = 8
const readRows = 50
const readIds = 100

export interface AccessEffort {
  rows: readonly number[]
  rounds: Rounds
  starts: number
}

interface Pair {
  work: string
  ours: LoadRequest[]
  other: LoadRequest[]
  expectedStatus: number
  /** `null`: for information. */
  target: number | null
}

export async function measureAccess(load: Load, { rows, rounds, starts }: AccessEffort): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const count of rows) {
    const stage = await startStage(count, null)
    findings.push(...(await measureAll(load, rounds, { stage, count, on: 'SQLite', postgresUrl: null })))
    await stage.stop()
    const postgres = await startPostgres()
    try {
      const url = databaseAt(postgres.url, 'access')
      const onPostgres = await startStage(count, url)
      const place = { stage: onPostgres, count, on: 'PostgreSQL', postgresUrl: url }
      findings.push(...(await measureAll(load, rounds, place)))
      await onPostgres.stop()
    } finally {
      await postgres.stop()
    }
  }
  return [...findings, measureTypes(starts)]
}

interface Place {
  stage: Stage
  count: number
  on: string
  postgresUrl: string | null
}

async function measureAll(load: Load, rounds: Rounds, place: Place): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const pair of pairsOf(place)) findings.push(await measure(load, rounds, pair, place))
  return findings
}

function pairsOf({ stage: { admin, keys }, count }: Place): Pair[] {
  const as = (credential: string) => ({
    [credential === admin ? 'authorization' : 'x-api-key']:
      credential === admin ? `Bearer ${admin}` : credential,
  })
  const get = (path: string, credential: string): LoadRequest => ({
    method: 'GET',
    path,
    headers: as(credential),
  })
  const idsOf = (reach: Reach) =>
    Array.from({ length: Math.min(readIds, Math.floor(count * reach.share)) }, (_each, place) =>
      idOf(reachedIndex(reach, place)),
    )
  const ofReach = reaches.flatMap((reach) =>
    counts.flatMap((values): Pair[] => {
      const compared = memberOf(reach.name, values)
      const caller = keys.get(compared) ?? ''
      const filter = values === 1 ? `${compared}=${valuesOf(1)}` : `${compared}[in]=${valuesOf(values)}`
      const how = `${values} value${values === 1 ? '' : 's'}, reach ${reach.percent}`
      return [
        {
          work: `list, ${how}`,
          ours: [get(`/api/guarded-rows?limit=${readRows}`, caller)],
          other: [get(`/api/open-rows?limit=${readRows}&${filter}`, caller)],
          expectedStatus: 200,
          target: ruledTarget,
        },
        {
          work: `get, ${how}`,
          ours: idsOf(reach).map((id) => get(`/api/guarded-rows/${id}`, caller)),
          other: idsOf(reach).map((id) => get(`/api/open-rows/${id}`, caller)),
          expectedStatus: 200,
          target: ruledTarget,
        },
      ]
    }),
  )
  const [, some = reaches[0]] = reaches
  const ofSome = keys.get(memberOf(some.name, 1)) ?? ''
  const created = (path: string, body: object): LoadRequest => ({
    method: 'POST',
    path,
    body: JSON.stringify(body),
    headers: { ...as(ofSome), 'content-type': 'application/json' },
  })
  const input = {
    title: 'New',
    few1: '-',
    few32: '-',
    some1: valuesOf(1)[0],
    some32: '-',
    every1: '-',
    every32: '-',
  }
  return [
    ...ofReach,
    {
      work: 'list, with `all`',
      ours: [get(`/api/guarded-rows?limit=${readRows}`, admin)],
      other: [get(`/api/open-rows?limit=${readRows}`, admin)],
      expectedStatus: 200,
      target: unruledTarget,
    },
    {
      work: 'get, with `all`',
      ours: idsOf(some).map((id) => get(`/api/guarded-rows/${id}`, admin)),
      other: idsOf(some).map((id) => get(`/api/open-rows/${id}`, admin)),
      expectedStatus: 200,
      target: unruledTarget,
    },
    {
      work: 'get by `like`, 1 value, reach 1.5 %',
      ours: idsOf(some).map((id) => get(`/api/followers/${id}`, ofSome)),
      other: idsOf(some).map((id) => get(`/api/free-rows/${id}`, ofSome)),
      expectedStatus: 200,
      target: null,
    },
    {
      work: 'create, 1 value',
      ours: [created('/api/guarded-rows', input)],
      other: [created('/api/open-rows', input)],
      expectedStatus: 201,
      target: null,
    },
  ]
}

async function measure(load: Load, rounds: Rounds, pair: Pair, place: Place): Promise<Finding> {
  const { service } = place.stage
  const ports = [Number(new URL(service.url).port)]
  const { expectedStatus } = pair
  const cpuUs = async (requests: LoadRequest[], ms: number): Promise<number> => {
    const before = processorMs(service.pid, place.postgresUrl)
    const { answers } = await load.run({ ports, connections, ms, perSecond: null, requests, expectedStatus })
    return ((processorMs(service.pid, place.postgresUrl) - before) * 1000) / answers
  }
  await requireAlike(service.url, pair)
  for (const requests of [pair.other, pair.ours]) await cpuUs(requests, rounds.warmUpMs)
  const ours: number[] = []
  const other: number[] = []
  for (let round = 0; round < rounds.count; round++) {
    other.push(await cpuUs(pair.other, rounds.ms))
    ours.push(await cpuUs(pair.ours, rounds.ms))
  }
  const ratios = ours.map((each, round) => each / (other[round] ?? Number.NaN))
  const ratio = median(ratios)
  const [least, most] = range(ratios)
  return {
    row,
    work: `${pair.work}; ${place.count} rows on ${place.on}`,
    figure: `${ratio.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
    target: pair.target === null ? null : `≤ ${pair.target.toFixed(2)}`,
    reached: pair.target === null || ratio <= pair.target,
    detail: `${median(ours).toFixed(0)} µs, without the rule ${median(other).toFixed(0)} µs`,
  }
}

/** @throws Error unless both sides answer, and with as many rows */
async function requireAlike(url: string, { work, ours, other, expectedStatus }: Pair): Promise<void> {
  const sizes: number[] = []
  for (const [request] of [ours, other]) {
    if (request === undefined) throw new Error(`${work} sends nothing.`)
    const { method, path, headers, body } = request
    const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
    const text = await response.text()
    if (response.status !== expectedStatus)
      throw new Error(`${work}, ${path}: ${response.status} ${text.slice(0, 300)}`)
    const reply: unknown = JSON.parse(text)
    sizes.push(Array.isArray(reply) ? reply.length : 1)
  }
  if (sizes[0] !== sizes[1] || sizes[0] === 0) throw new Error(`${work}: ${sizes.join(' and ')} rows.`)
}
