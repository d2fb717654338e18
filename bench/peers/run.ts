/**
 * `npm run speed:peers`: the processor time of the four requests of `npm run speed`, of Tenantry and of its peers, on one
 * PostgreSQL server, in turns in one run.
 */
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { Load } from '../load/load.ts'
import { describeMachine } from '../machine.ts'
import { databaseAt } from '../row/contest.ts'
import { median } from '../row/finding.ts'
import { type Rounds, run } from '../row/turns.ts'
import { commitHere, writeFigures } from '../speed/document.ts'
import { type WorkName, workNames } from '../speed/works.ts'
import { residentMb } from '../usage.ts'
import type { Contender } from './contender.ts'
import { createDatabase, execute } from './database.ts'
import { preparePeers } from './packages.ts'
import { parse } from './parse.ts'
import { payload } from './payload.ts'
import { postgraphile } from './postgraphile.ts'
import { type Figure, tableOf } from './table.ts'
import { startTenantry } from './tenantry.ts'
import { verify } from './verify.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
})

const rounds: Rounds = { count: Number(options.rounds), ms: Number(options.seconds) * 1000, warmUpMs: 3000 }
const peers = [postgraphile, parse, payload].filter(
  ({ packageName }) => options.only.length === 0 || options.only.includes(packageName),
)

preparePeers()
const postgres = await startPostgres()
const contenders = await startAll(postgres.url)
const load = new Load()
const figures: Figure[] = []
for (const work of workNames) figures.push({ work, microseconds: await measure(work) })
load.stop()
const memoryMb = contenders.map(({ server }) => residentMb(server.pid))
const version = await execute<{ server_version: string }>(postgres.url, 'SHOW server_version')
for (const { stop } of contenders) await stop()
await postgres.stop()

const machine = `${describeMachine()}, PostgreSQL ${version[0]?.server_version}, commit \`${commitHere()}\``
const made = tableOf({ machine, peers, figures, memoryMb })
console.log(made)
if (options.write) writeFigures('peers', made)

async function startAll(serverUrl: string): Promise<Contender[]> {
  const ours = databaseAt(serverUrl, 'tenantry')
  const started = [await ready(await startTenantry(ours), ours)]
  for (const { packageName, start } of peers) {
    const databaseUrl = await createDatabase(serverUrl, packageName.replace('-', '_'))
    started.push(await ready(await start(databaseUrl), databaseUrl))
  }
  return started
}

/** PostgreSQL knows the sizes of the tables, and every request is answered as it should be. */
async function ready(contender: Contender, databaseUrl: string): Promise<Contender> {
  await execute(databaseUrl, 'ANALYZE')
  await verify(contender)
  process.stderr.write(`${contender.name} is ready\n`)
  return contender
}

async function measure(work: WorkName): Promise<number[]> {
  for (const { works } of contenders) await run(load, works[work], rounds.warmUpMs)
  const taken = contenders.map((): number[] => [])
  for (let round = 0; round < rounds.count; round++)
    for (const [index, { works }] of contenders.entries())
      taken[index]?.push((await run(load, works[work], rounds.ms)).cpuUs)
  return taken.map(median)
}
