/** Chains of webhooks that lead to each other through this service, and what ends them. */

import type { Context } from '../../../core/context.ts'
import { isEventId, isUuid } from '../../../core/id.ts'
import { hopsHeader, originHeader } from '../../outgoing/send/signed-message.ts'
import { maxRules } from '../rule/rule.ts'
import { type Headers, readHeader } from '../signature/message.ts'
import { countRunsOf, holdChains } from './sql.ts'

/** How long a chain may grow: longer ones are circles. */
export const maxHops = 5

/** Actions of a tenant in one chain. The first receipt of a chain may always run all of its rules. */
export const maxRunsOfChain = maxRules

/** @returns how many webhooks of this service have led to the message; `maxHops` for a header that is malformed */
export function readHops(headers: Headers): number {
  const text = readHeader({ headers }, hopsHeader.toLowerCase()) ?? '0'
  return /^\d{1,3}$/.test(text) ? Number(text) : maxHops
}

/** @returns the event or the receipt with which the chain has begun; `null` for a message that begins one */
export function readOrigin(headers: Headers): string | null {
  const origin = readHeader({ headers }, originHeader.toLowerCase())
  if (origin !== null && (isEventId(origin) || isUuid(origin))) return origin
  const event = readHeader({ headers }, 'x-webhook-id')
  return event !== null && isEventId(event) ? event : null
}

/**
 * @param origin with which the chain has begun; `null` for a receipt that is the first
 * @param runs that would be added
 */
export async function isChainSpent(inside: Context, origin: string | null, runs: number): Promise<boolean> {
  if (origin === null) return false
  await holdChains(inside.data)
  return (await countRunsOf(inside.data, origin)) + runs > maxRunsOfChain
}
