/** Reads the credential and the roles of an actor: the user, API key or job that a request or a job acts for. */
import { type Actor, hostTenantId } from './context.ts'

/** @returns the id of the actor's session; `null` for an actor without one */
export function sessionOf({ credential }: Actor): string | null {
  return credential.kind === 'session' ? credential.sessionId : null
}

/**
 * @returns the id of the user whose own rows the actor may use: the user itself, or the user for whom an API key or
 *   a job acts; `null` if there is no such user
 */
export function userIdOf({ id, credential }: Actor): string | null {
  switch (credential.kind) {
    case 'session':
      return id
    case 'apiKey':
    case 'job':
      return credential.actsFor
    default:
      return null
  }
}

/** The id of the actor of the command line and of jobs of features. No user and no API key has it. */
export const noActorId = '00000000-0000-0000-0000-000000000000'

/** Whether the actor has the role Admin, which has every permission. */
export function isAdmin(actor: Actor | null): boolean {
  return actor?.roles.includes('Admin') === true
}

/**
 * Whether the actor is an administrator of the host tenant, which operates the installation: it may act in every
 * tenant.
 */
export function isHostAdmin(actor: Actor | null): boolean {
  return actor?.tenantId === hostTenantId && isAdmin(actor)
}
