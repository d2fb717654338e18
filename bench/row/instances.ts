/**
 * What a request costs three instances that share the work, by what it costs one that has all of it, on PostgreSQL.
 * CPU time of the service, not requests per second: the instances of a deployment have machines of their own. Each
 * instance has the same rate: one that has more to do at once does more of it together, and each costs less.
 */
import { randomBytes } from 'node:crypto'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import type { Load } from '../load/load.ts'
import type { Server } from '../process.ts'
import { initialize, removeFolder, startService } from '../service.ts'
import { databaseAt } from './contest.ts'
import { type Finding, median, range } from './finding.ts'
import { type Contender, prepare, sideOf, type Work, works } from './throughput.ts'
import { describe, type Rounds, type Run, run, type Side } from './turns.ts'

const target = 1.15
const sizes = { one: 1, three: 3 }
/** Of each instance; the machine must not be busy with that of three. */
const connections = 16
const perSecond: Record<string, number> = { read: 400, write: 80 }
/** Less than this of the rate, and the machine was too busy for the figure to say anything. */
const leastOfRate = 0.95

interface Deployment {
  servers: readonly Server[]
  first: Contender
  stop(): Promise<void>
}

export async function measureInstances(load: Load, rounds: Rounds): Promise<Finding[]> {
  const postgres = await startPostgres()
  const one = await deploy(sizes.one, databaseAt(postgres.url, 'one'))
  const three = await deploy(sizes.three, databaseAt(postgres.url, 'three'))
  const findings: Finding[] = []
  try {
    for (const work of works.filter(({ row }) => row in perSecond)) {
      findings.push(await compare(load, work, { one, three }, rounds))
    }
  } finally {
    await one.stop()
    await three.stop()
    await postgres.stop()
  }
  return findings
}

/** Every instance of it has the same settings. */
async function deploy(size: number, databaseUrl: string): Promise<Deployment> {
  const masterKey = randomBytes(32).toString('base64')
  const settings = { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, BASE_URL: 'http://bench.test' }
  const first = await startService(settings)
  const services = [first]
  while (services.length < size) services.push(await startService(settings))
  const { token } = await initialize(first.url)
  return {
    servers: services,
    first: await prepare(first, token),
    stop: async () => {
      for (const service of services) await service.stop()
      for (const { folder } of services) removeFolder(folder)
    },
  }
}

async function compare(
  load: Load,
  work: Work,
  { one, three }: { one: Deployment; three: Deployment },
  { count, ms, warmUpMs }: Rounds,
): Promise<Finding> {
  const sides = { one: sideAt(one, work), three: sideAt(three, work) }
  const rate = perSecond[work.row] ?? Number.NaN
  const measure = (size: keyof typeof sizes, forMs: number) =>
    run(load, sides[size], forMs, connections * sizes[size], rate * sizes[size])
  await measure('one', warmUpMs)
  await measure('three', warmUpMs)
  const runs: { one: Run; three: Run }[] = []
  for (let round = 0; round < count; round++) {
    runs.push({ one: await measure('one', ms), three: await measure('three', ms) })
  }
  const ratios = runs.map((each) => each.three.cpuUs / each.one.cpuUs)
  const ratio = median(ratios)
  const [least, most] = range(ratios)
  const kept = median(runs.map((each) => each.three.perSecond)) >= leastOfRate * rate * sizes.three
  const told = (size: keyof typeof sizes) => describe(runs.map((each) => each[size]))
  return {
    row: 'instances',
    work: `CPU for ${work.about}: three instances by one`,
    figure: `${ratio.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
    target: `≤ ${target.toFixed(2)}`,
    reached: kept && ratio <= target,
    detail: `one ${told('one')}; three ${told('three')}${kept ? '' : '; the machine was too busy to say'}`,
  }
}

function sideAt({ servers, first }: Deployment, work: Work): Side {
  return { ...sideOf(work, first), servers }
}
