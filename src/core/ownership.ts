/**
 * The ownership of webhook subscriptions and rules: who becomes the owner of a new one, and who may see and change
 * it.
 */
import { isAdmin } from './actor.ts'
import type { Actor } from './context.ts'
import { keyOwner, type Rights, userOwner } from './owner.ts'
import { noPermission } from './permission.ts'

/** @returns the owner of what the actor makes; `null`, which means the administrators, for the operator and for jobs */
export function ownerOf(actor: Actor | null): string | null {
  switch (actor?.credential.kind) {
    case 'session':
      return userOwner(actor.id)
    case 'apiKey':
      return keyOwner(actor.credential.keyId)
    case 'portal':
      return actor.credential.owner
    default:
      return null
  }
}

/**
 * Whether the actor may see and change what belongs to the owner. Administrators may change everything, others only
 * what belongs to them.
 */
export function mayReach(actor: Actor | null, owner: string | null): boolean {
  return isAdmin(actor) || (owner !== null && owner === ownerOf(actor))
}

export function rightsOf(actor: Actor | null): Rights {
  return { isAdmin: isAdmin(actor), permissions: actor?.permissions ?? noPermission }
}
