/**
 * Chains of webhooks: a received webhook runs actions, whose events may be sent as webhooks and
 * come back. Limits end such chains.
 */

import type { Context } from '../../../core/context.ts'
import { isEventId, isUuid } from '../../../core/id.ts'
import { loopCountHeader, originHeader } from '../../outgoing/send/signed-message.ts'
import { maxRules } from '../rule/rule.ts'
import { type Headers, readHeader } from '../signature/message.ts'
import { countRunsOfChain, lockChains } from './sql.ts'

/** The maximum length of a chain. Longer ones are loops. */
export const maxLoopCount = 5

/**
 * The most actions of a tenant in one chain: as many as rules, so that the first
 * receipt can always run all of them.
 */
export const maxRunsOfChain = maxRules

/** @returns the number of webhooks of this service that led to the message; `maxLoopCount` for a malformed header */
export function readLoopCount(headers: Headers): number {
  const text = readHeader({ headers }, loopCountHeader.toLowerCase()) ?? '0'
  return /^\d{1,3}$/.test(text) ? Number(text) : maxLoopCount
}

/** @returns the event or the receipt that began the chain; `null` for a message that begins one */
export function readOrigin(headers: Headers): string | null {
  const origin = readHeader({ headers }, originHeader.toLowerCase())
  if (origin !== null && (isEventId(origin) || isUuid(origin))) return origin
  const event = readHeader({ headers }, 'x-webhook-id')
  return event !== null && isEventId(event) ? event : null
}

/** @param origin what began the chain; `null` for the first receipt @param runs the number of runs to add */
export async function exceedsChainLimit(
  inside: Context,
  origin: string | null,
  runs: number,
): Promise<boolean> {
  if (origin === null) return false
  await lockChains(inside.data)
  return (await countRunsOfChain(inside.data, origin)) + runs > maxRunsOfChain
}
