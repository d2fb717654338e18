/**
 * What administrators of the host may do while they act as a user of a tenant, for support (impersonation). They may
 * read and change ordinary rows. Whatever would last longer or reach outside, such as a new API key, is refused.
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
