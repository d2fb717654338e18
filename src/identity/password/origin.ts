import type { Context } from '../../core/context.ts'
import { clientNetwork } from '../../core/network.ts'
import type { HashOrigin } from '../../core/passwords.ts'

/**
 * Half of the turns are for callers with a token and for users who have signed in from the same network before, so
 * that strangers delay strangers; within each half, tenants take turns, and callers within each tenant.
 * @param isKnown whether the account that is signed in to has been used from there
 */
export function originOf({ actor, clientAddress, signal, tenant }: Context, isKnown = false): HashOrigin {
  const standing = actor !== null || isKnown ? 'known' : 'stranger'
  return { path: [standing, tenant.id, actor?.id ?? clientNetwork(clientAddress ?? '')], signal }
}
