/** What it costs an entity to be `live` while nobody follows it: the processor time of requests, in short turns. */
import { randomBytes } from 'node:crypto'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { expectJson, mapAtOnce } from '../client.ts'
import type { LoadRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import { type Server, startServer } from '../process.ts'
import { databaseAt } from '../row/contest.ts'
import { type Finding, median } from '../row/finding.ts'
import { run, type Side } from '../row/turns.ts'
import { initialize, makeFolder, removeFolder } from '../service.ts'

export const row = 'live-cost'

export interface LiveCostEffort {
  turns: number
}

const rows = 2000
const turnMs = 250
const warmUpMs = 1500
/** Of a create and a change. */
const mostRatio = 1.05

interface Work {
  about: string
  expectedStatus: number
  isWrite: boolean
  request(path: string, id: string, index: number): Pick<LoadRequest, 'method' | 'path' | 'body'>
}

const works: readonly Work[] = [
  {
    about: 'POST',
    expectedStatus: 201,
    isWrite: true,
    request: (path, _id, index) => ({ method: 'POST', path, body: JSON.stringify(desk(index)) }),
  },
  {
    about: 'PATCH',
    expectedStatus: 200,
    isWrite: true,
    request: (path, id, index) => ({
      method: 'PATCH',
      path: `${path}/${id}`,
      body: JSON.stringify({ price: 5 + index, isActive: index % 2 === 0 }),
    }),
  },
  {
    about: 'GET of 50',
    expectedStatus: 200,
    isWrite: false,
    request: (path) => ({ method: 'GET', path: `${path}?limit=50` }),
  },
]

export async function measureLiveCost(load: Load, effort: LiveCostEffort): Promise<Finding[]> {
  const onFile = await compareOn(load, 'SQLite', {}, effort)
  const server = await startPostgres()
  try {
    const settings = {
      DATABASE_URL: databaseAt(server.url, 'live_cost'),
      MASTER_KEY: randomBytes(32).toString('base64'),
    }
    return [...onFile, ...(await compareOn(load, 'PostgreSQL', settings, effort))]
  } finally {
    await server.stop()
  }
}

async function compareOn(
  load: Load,
  database: string,
  settings: Record<string, string>,
  { turns }: LiveCostEffort,
): Promise<Finding[]> {
  const folder = makeFolder()
  const command = ['bench/live/cost-start.ts', 'serve']
  const server = await startServer({ command, folder, settings, readyPath: '/health/ready' })
  const { send, token } = await initialize(server.url)
  const filled = async (path: string) => ({
    path,
    ids: await mapAtOnce([...Array(rows).keys()], 32, async (index) => {
      const made = await expectJson<{ id: string }>(send('POST', path, desk(index)), 201)
      return made.id
    }),
  })
  const [live, other] = [await filled('/api/followed-rows'), await filled('/api/unfollowed-rows')]
  const findings: Finding[] = []
  for (const work of works) {
    const sides = [live, other].map((each) => sideOf(server, token, { work, ...each }))
    findings.push(await compare(load, `${work.about}, ${database}`, { work, sides, turns }))
  }
  await server.stop()
  removeFolder(folder)
  return findings
}

async function compare(
  load: Load,
  about: string,
  { work, sides, turns }: { work: Work; sides: Side[]; turns: number },
): Promise<Finding> {
  const [live, other] = sides
  if (live === undefined || other === undefined) throw new Error('Two sides are compared.')
  for (const side of sides) await run(load, side, warmUpMs)
  const figures: { live: number; other: number }[] = []
  for (let turn = 0; turn < turns; turn++) {
    const first = turn % 2 === 0 ? await run(load, live, turnMs) : null
    const second = await run(load, other, turnMs)
    const own = first ?? (await run(load, live, turnMs))
    figures.push({ live: own.cpuUs, other: second.cpuUs })
  }
  const ratio = median(figures.map((each) => each.live / each.other))
  const detail = `live ${median(figures.map((each) => each.live)).toFixed(0)} µs; otherwise ${median(figures.map((each) => each.other)).toFixed(0)} µs`
  return {
    row,
    work: about,
    figure: ratio.toFixed(3),
    target: work.isWrite ? `${mostRatio} at most` : null,
    reached: !work.isWrite || ratio <= mostRatio,
    detail,
  }
}

function sideOf(
  server: Server,
  token: string,
  { work, path, ids }: { work: Work; path: string; ids: readonly string[] },
): Side {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const typed = { ...headers, 'content-type': 'application/json' }
  const requests = ids.map((id, index): LoadRequest => {
    const request = work.request(path, id, index)
    return { ...request, headers: request.body === undefined ? headers : typed }
  })
  return { servers: [server], requests, expectedStatus: work.expectedStatus }
}

function desk(index: number): object {
  const description = `A desk of solid walnut with drawers on both sides, number ${index} of its kind.`
  return { name: `Walnut desk ${index}`, description, price: 1 + index }
}
