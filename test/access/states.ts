/** One random state of all rows: everything is read by every way, then changed by many. */
import type { Ask } from '../support/database/inspect.ts'
import { application } from './application.ts'
import { type Kind, randomAttempt, sometimesBulk } from './attempts.ts'
import { tryInvisible } from './invisible.ts'
import type { ReadWay } from './lists.ts'
import { type Pick, pickFrom } from './pick.ts'
import { copyReach, emptyAll, pathOf, type Scene } from './scene.ts'
import { fill } from './state.ts'
import { type Tally, tryRead } from './walk.ts'
import { repeatAll, tryWrite } from './writes.ts'

export const paths: ReadonlyMap<string, string> = new Map(
  application.map(({ name, routes }) => [name, pathOf(routes)]),
)

export const kinds: readonly Kind[] = ['create', 'change', 'replace', 'delete']
export const actions: readonly Kind[] = ['close', 'finish']

interface State {
  seed: number
  /** The callers take turns with the states. */
  turn: number
  ways: readonly ReadWay[]
  /** Of writes of each kind by each caller. */
  rounds: number
  tally: Tally
}

export async function walkState(scene: Scene, ask: Ask, state: State): Promise<void> {
  const { tally, ways, turn } = state
  const pick = pickFrom(state.seed)
  await emptyAll(ask, [scene.tenant.id, ...scene.callers.flatMap(({ twin }) => twin?.tenantId ?? [])])
  const world = await fill(scene, pick)
  await copyReach(ask, scene, world)
  for (const [index, way] of ways.entries()) {
    const callers = way.isForAll === true ? scene.callers : turnOf(scene.callers, index + turn)
    for (const caller of callers) await tryRead(way, caller, { pick, world, tally })
  }
  for (const caller of scene.callers)
    for (const { name } of application) {
      const acts = name === 'ticket' ? actions : []
      await tryInvisible({ entity: name, path: paths.get(name) ?? '', actions: acts }, caller, {
        pick,
        world,
        tally,
      })
    }
  await writeAll(scene, ask, { ...state, pick, world })
}

async function writeAll(
  scene: Scene,
  ask: Ask,
  { tally, rounds, pick, world: first }: State & { pick: Pick; world: Awaited<ReturnType<typeof fill>> },
): Promise<void> {
  const walking = { scene, ask, tally, paths, remembered: [] }
  let world = first
  for (let round = 0; round < rounds; round++)
    for (const caller of scene.callers)
      for (const { name } of application) {
        const own = name === 'ticket' ? [pick(kinds), pick(actions)] : [pick(kinds)]
        for (const kind of own) {
          const attempt = sometimesBulk(
            randomAttempt(name, kind, caller, { pick, world, userIds: scene.userIds }),
            pick,
          )
          world = await tryWrite(attempt, caller, world, walking)
        }
      }
  await repeatAll(walking, world)
}

function turnOf<T>(all: readonly T[], turn: number): readonly T[] {
  const place = turn % all.length
  return all.slice(place, place + 1)
}
