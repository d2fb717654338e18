/** The process of the attackers: one attack at a time, at the lowest priority, so that it delays nobody itself. */
import { constants, setPriority } from 'node:os'
import { attacks } from './attacks.ts'
import { type Counts, Front } from './front.ts'
import type { Target } from './target.ts'

/** Answered when the attack has begun; `null` ends it. */
export type Order = { name: string; target: Target } | null

/** `error` is why an attack could not be made. */
export interface AttackOutcome {
  counts: Counts
  error?: string
}

setPriority(constants.priority.PRIORITY_LOW)
let front: Front | null = null
let error: string | null = null

process.on('message', (order: Order) => {
  if (order === null) return end()
  error = null
  front = new Front(order.target, () => reportOutcome({ counts: {} }))
  startAttack(order.name, front).catch((cause: unknown) => {
    error = String(cause)
    front?.begin()
  })
})

async function startAttack(name: string, at: Front): Promise<void> {
  const attack = attacks.find((one) => one.name === name)
  if (attack === undefined) throw new Error(`There is no attack ${name}.`)
  await attack.start(at)
}

function end(): void {
  if (front === null) return
  front.end()
  reportOutcome({ counts: front.counts, ...(error !== null && { error }) })
  front = null
}

function reportOutcome(outcome: AttackOutcome): void {
  process.send?.(outcome)
}
