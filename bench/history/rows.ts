/** Creating and changing rows whose history is kept, against rows without it, in one process. */
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { expectJson, mapAtOnce } from '../client.ts'
import type { LoadRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import { type Server, startServer } from '../process.ts'
import { databaseAt } from '../row/contest.ts'
import type { Finding } from '../row/finding.ts'
import { compareInTurn, type Rounds, type Side } from '../row/turns.ts'
import { initialize, makeFolder, removeFolder } from '../service.ts'

export const row = 'history'

/** Each has many versions in the end, as few rows of an application have. */
const changedRows = 2000

interface Contender {
  server: Server
  token: string
  path: string
  ids: readonly string[]
}

const works: { about: string; method: LoadRequest['method']; isOfRow: boolean; expectedStatus: number }[] = [
  { about: 'PATCH', method: 'PATCH', isOfRow: true, expectedStatus: 200 },
  { about: 'GET by id', method: 'GET', isOfRow: true, expectedStatus: 200 },
  { about: 'POST', method: 'POST', isOfRow: false, expectedStatus: 201 },
]

export async function measureHistory(load: Load, rounds: Rounds, postgresRounds: Rounds): Promise<Finding[]> {
  const onFile = await compareOn(load, rounds, 'SQLite', {})
  const server = await startPostgres()
  try {
    const settings = { DATABASE_URL: databaseAt(server.url, 'history') }
    return [...onFile, ...(await compareOn(load, postgresRounds, 'PostgreSQL', settings))]
  } finally {
    await server.stop()
  }
}

async function compareOn(
  load: Load,
  rounds: Rounds,
  place: string,
  settings: Record<string, string>,
): Promise<Finding[]> {
  const folder = makeFolder()
  const command = ['bench/history/start.ts', 'serve']
  const server = await startServer({ command, folder, settings, readyPath: '/health/ready' })
  const { send, token } = await initialize(server.url)
  const contender = async (path: string): Promise<Contender> => {
    const bodies = Array.from({ length: changedRows }, (_, index) => desk(index))
    const ids = await mapAtOnce(
      bodies,
      32,
      async (body) => (await expectJson<{ id: string }>(send('POST', path, body), 201)).id,
    )
    return { server, token, path, ids }
  }
  const [kept, unkept] = [await contender('/api/kept-rows'), await contender('/api/unkept-rows')]
  const findings: Finding[] = []
  for (const work of works) {
    const sides = { ours: sideOf(work, kept), other: sideOf(work, unkept) }
    const { figure, ours, other } = await compareInTurn(load, sides, rounds)
    const detail = `with history ${ours}; without ${other}`
    findings.push({ row, work: `${work.about}, ${place}`, figure, target: null, reached: true, detail })
  }
  await server.stop()
  removeFolder(folder)
  return findings
}

function sideOf(
  { method, isOfRow, expectedStatus }: (typeof works)[number],
  { server, token, path, ids }: Contender,
): Side {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const requests = ids.map((id, index): LoadRequest => {
    const address = isOfRow ? `${path}/${id}` : path
    if (method === 'GET') return { method, path: address, headers }
    const typed = { ...headers, 'content-type': 'application/json' }
    return { method, path: address, headers: typed, body: JSON.stringify(desk(index)) }
  })
  return { servers: [server], requests, expectedStatus }
}

function desk(index: number): object {
  const description = `A desk of solid walnut with drawers on both sides, number ${index} of its kind.`
  return { name: `Walnut desk ${index}`, description, price: 1 + index }
}
