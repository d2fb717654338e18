/**
 * What administrators of the host may do while they act as a user. Nothing may outlive it or reach outside: reads and
 * changes of ordinary rows are allowed, all else is refused.
 */
import type { Actor } from './context.ts'
import { refusal } from './errors.ts'

/** Whether an operation is allowed while an administrator of the host acts as the user. */
export type ImpersonationRule = 'allowed' | 'refused'

/** @throws ServiceError `forbidden` while an administrator of the host acts as the user */
export function refuseImpersonated({ actor }: { actor: Actor | null }): void {
  if (actor === null || actor.impersonator === null) return
  throw refusal('actingAsOther')
}
