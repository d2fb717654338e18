/** What a chain of webhooks of ours may run: hops bound how long it grows, and this how broad. */
import type { Context } from '../../../core/context.ts'
import { mostRules } from '../rule/rule.ts'
import { countRunsOf, holdChains } from './sql.ts'

/** Actions of a tenant that one first event leads to. The first receipt of a chain may always run all of its rules. */
export const mostRunsOfChain = mostRules

/** @param origin what the chain has begun with; `null` for a receipt that is the first @param runs that would be added */
export async function isChainSpent(inside: Context, origin: string | null, runs: number): Promise<boolean> {
  if (origin === null) return false
  await holdChains(inside.data)
  return (await countRunsOf(inside.data, origin)) + runs > mostRunsOfChain
}
