/** What the credential and the roles of an actor say. */
import { type Actor, hostTenantId } from './context.ts'

/** @returns `null` for an actor without a session */
export function sessionOf({ credential }: Actor): string | null {
  return credential.kind === 'session' ? credential.sessionId : null
}

/** The user whose rows the actor reaches: itself, or whom an API key or a job acts for. @returns `null` for nobody */
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

/** Whether the actor has the role Admin, and so every permission. */
export function isAdmin(actor: Actor | null): boolean {
  return actor?.roles.includes('Admin') === true
}

/** An administrator of the host tenant, who alone may reach every tenant. */
export function isHostAdmin(actor: Actor | null): boolean {
  return actor?.tenantId === hostTenantId && isAdmin(actor)
}
