/** The attackers' process: one attack at a time, at the lowest priority, so that its own work delays nobody. */
import { constants, setPriority } from 'node:os'
import { attacks } from './attacks.ts'
import { type Counts, Front } from './front.ts'
import type { Target } from './target.ts'

/** `null` ends the attack. */
export type Order = { name: string; target: Target } | null

/** `error` is why an attack could not be made. */
export interface AttackOutcome {
  counts: Counts
  error?: string
}

setPriority(constants.priority.PRIORITY_LOW)
let front: Front | null = null

process.on('message', (order: Order) => {
  if (order === null) return end()
  front = new Front(order.target)
  start(order.name, front).catch((error: unknown) => end(error))
})

async function start(name: string, at: Front): Promise<void> {
  const attack = attacks.find((one) => one.name === name)
  if (attack === undefined) throw new Error(`There is no attack ${name}.`)
  await attack.start(at)
}

function end(error?: unknown): void {
  if (front === null) return
  front.end()
  const outcome: AttackOutcome = {
    counts: front.counts,
    ...(error !== undefined && { error: String(error) }),
  }
  front = null
  process.send?.(outcome)
}
