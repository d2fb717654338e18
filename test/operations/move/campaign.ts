/** `npm run move-campaign`: a tenant moves back and forth under load, and moves are killed at any moment. */
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { futureDatabase } from '../../support/database/future-database.ts'
import { type DatabaseName, postgresServerUrl } from '../../support/databases.ts'
import { BusyClients } from '../busy-clients.ts'
import { type MovingScene, moveTo, setMovingScene } from './moving.ts'

const { values } = parseArgs({
  options: { moves: { type: 'string', default: '12' }, kills: { type: 'string', default: '4' } },
})
const moves = Number(values.moves)
const kills = Number(values.kills)
const clients = 3
const longestLifeMs = 6000
/** Writes that wait for the switch end within this time. */
const settleMs = 500
/** The bound on a write, with its retries, while nothing is killed. */
const longestWaitMs = 1000

await postgresServerUrl()
for (const database of ['sqlite', 'postgres'] as const) await campaign(database)
process.exit()

async function campaign(database: DatabaseName): Promise<void> {
  await using scene = await setMovingScene(database)
  const future = await futureDatabase()
  const places = ['sqlite:one.db', 'shared', future.url, 'sqlite:two.db', future.url, 'shared']
  const busy = new BusyClients(scene.admin, 50)
  busy.start(clients)
  let killed = 0
  const waits = { withKills: 0, without: 0 }
  for (let move = 0; move < moves; move++) {
    const to = places[move % places.length] ?? 'shared'
    // In turns, and each way once so and once so.
    const isKilled = kills > 0 && (move + Math.floor(move / places.length)) % 2 === 0
    await delay(settleMs)
    busy.longestMs = 0
    for (let kill = 0; isKilled && kill < kills; kill++) if (await endedByKill(scene, to)) killed++
    const { code, stderr } = await scene.run(moveTo(to))
    // The last of those that were to be killed may have come to its end.
    if (code !== 0 && !/is already in /.test(stderr)) throw new Error(stderr)
    await delay(settleMs)
    const kind = isKilled ? 'withKills' : 'without'
    waits[kind] = Math.max(waits[kind], busy.longestMs)
  }
  await busy.stop()
  await busy.check()
  await everyEvent(scene, busy)
  const counts = `${busy.created.size} products and ${busy.orders.size} orders, none lost; ${busy.refused} refused for now`
  const longest = `until a write was done at most ${waits.withKills.toFixed(0)} ms with kills, ${waits.without.toFixed(0)} ms without`
  process.stdout.write(`${moves} moves on ${database}, killed ${killed} times: ${counts}, ${longest}\n`)
  if (waits.without > longestWaitMs) process.exitCode = 1
  await future.drop().catch(() => undefined) // the service may have it open
}

/** @returns whether it was killed before its end */
async function endedByKill(scene: MovingScene, to: string): Promise<boolean> {
  const running = scene.place.start(moveTo(to))
  running.process.stdin.end()
  const isOver = await Promise.race([
    running.ended.then(() => true),
    delay(randomInt(300, longestLifeMs), false, { ref: false }),
  ])
  if (!isOver) await running.kill()
  return !isOver
}

async function everyEvent({ receiver }: MovingScene, { created }: BusyClients): Promise<void> {
  for (let tries = 0; ; tries++) {
    const told = receiver.requests.map(({ body }) => JSON.parse(body))
    const ids = new Set(told.flatMap(({ data }) => data.productId ?? []))
    const missing = [...created].filter((id) => !ids.has(id))
    if (missing.length === 0) return
    if (tries > 120) throw new Error(`Not told of ${missing.slice(0, 5)}, and ${missing.length} in all.`)
    await delay(500)
  }
}
