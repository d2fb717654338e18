/** Two loads in turn, so that whatever else the machine does meets both. */
import type { ExpectedText, LoadRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import type { Server } from '../process.ts'
import { cpuMs } from '../usage.ts'
import { median, range } from './finding.ts'

export interface Side {
  /** Instances of one service, or the only one. */
  servers: readonly Server[]
  requests: LoadRequest[]
  expectedStatus: number
  /** Without it the body may be anything. */
  expectedText?: ExpectedText | null
}

export interface Rounds {
  count: number
  ms: number
  warmUpMs: number
}

export interface Comparison {
  /** Requests per second of ours by those of the other, the median of the rounds. */
  ratio: number
  figure: string
  ours: string
  other: string
}

const usualConnections = 64

export async function compareInTurn(
  load: Load,
  { ours, other }: { ours: Side; other: Side },
  rounds: Rounds,
): Promise<Comparison> {
  for (const side of [other, ours]) await run(load, side, rounds.warmUpMs)
  const otherRuns: Run[] = []
  const ourRuns: Run[] = []
  for (let round = 0; round < rounds.count; round++) {
    otherRuns.push(await run(load, other, rounds.ms))
    ourRuns.push(await run(load, ours, rounds.ms))
  }
  const ratios = ourRuns.map(
    ({ perSecond }, round) => perSecond / (otherRuns[round]?.perSecond ?? Number.NaN),
  )
  const ratio = median(ratios)
  const [least, most] = range(ratios)
  return {
    ratio,
    figure: `${ratio.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
    ours: describe(ourRuns),
    other: describe(otherRuns),
  }
}

export interface Run {
  perSecond: number
  /** Of the servers together, for each request. */
  cpuUs: number
}

export async function run(
  load: Load,
  { servers, requests, expectedStatus, expectedText = null }: Side,
  ms: number,
  connections = usualConnections,
  perSecond: number | null = null,
): Promise<Run> {
  const ports = servers.map(({ url }) => Number(new URL(url).port))
  const cpuOfAll = () => servers.reduce((sum, { pid }) => sum + cpuMs(pid), 0)
  const before = cpuOfAll()
  const expected = { expectedStatus, expectedText }
  const { answers, seconds } = await load.run({ ports, connections, ms, perSecond, requests, ...expected })
  return { perSecond: answers / seconds, cpuUs: ((cpuOfAll() - before) * 1000) / answers }
}

export function describe(runs: readonly Run[]): string {
  const perSecond = Math.round(median(runs.map((one) => one.perSecond)))
  return `${perSecond}/s, ${median(runs.map(({ cpuUs }) => cpuUs)).toFixed(0)} µs CPU`
}
