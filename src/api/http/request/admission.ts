/** Determines the caller and the tenant of a request, and checks access: 401 before 403 before other errors. */

import { type Authenticator, type CredentialSource, credentialsOf } from '../../../core/authenticator.ts'
import { type Actor, hostTenantId, type Tenant } from '../../../core/context.ts'
import { refusal, ServiceError, unauthorized } from '../../../core/errors.ts'
import type { Access, Route } from '../../../core/feature/route.ts'
import { type ImpersonationRule, refuseImpersonated } from '../../../core/impersonation.ts'
import { isPermission, lacking } from '../../../core/permission.ts'
import type { TenantDirectory } from '../../../core/tenant/directory.ts'
import { type HostRules, type Resolved, resolveTenant, type TenantHints } from './resolve-tenant.ts'

export interface AdmissionParts {
  authenticator: Authenticator
  directory: TenantDirectory
  hosts: HostRules
}

export interface Admitted {
  actor: Actor | null
  tenant: Tenant
}

export type AdmissionRequest = TenantHints & CredentialSource

type Maybe<T> = T | Promise<T>

/**
 * Returns without waiting when credential and tenant are cached, which is the usual case.
 * @throws ServiceError `unauthorized`, `wrongTenant`, `tenantInactive`, `forbidden`, or `notFound` for a tenant
 */
export function admit(
  request: AdmissionRequest,
  route: GuardedRoute,
  parts: AdmissionParts,
): Maybe<Admitted> {
  const { access } = route
  return then(authenticate(request, access, parts), (actor) =>
    then(resolveTenant(request, parts.directory, parts.hosts), (resolved) =>
      actor === null ? admitAnonymous(resolved, access, parts) : admitActor(actor, resolved, route, parts),
    ),
  )
}

type GuardedRoute = Pick<Route, 'access' | 'inPortal'> & { impersonation: ImpersonationRule }

/** A connection that stays open: each of its operations is checked by itself. */
export const openConnection: GuardedRoute = { access: 'public', impersonation: 'allowed' }

/** Whether a credential is still admitted, for a connection that stays open. */
export async function isStillAdmitted(
  credentials: CredentialSource,
  tenantId: string,
  parts: AdmissionParts,
): Promise<boolean> {
  const { headers, ip } = credentialsOf(credentials)
  const request = { headers: { ...headers, 'x-tenant-id': tenantId }, ip, query: {}, host: '' }
  try {
    await admit(request, openConnection, parts)
    return true
  } catch (error) {
    return !(error instanceof ServiceError) // an unavailable database is not a refusal
  }
}

function authenticate(request: AdmissionRequest, access: Access, parts: AdmissionParts): Maybe<Actor | null> {
  if (access === 'anonymous') return null
  const actor = parts.authenticator.authenticate(request)
  if (actor === null && access !== 'public') throw unauthorized('noToken')
  return actor
}

function admitActor(
  actor: Actor,
  resolved: Resolved,
  { access, inPortal, impersonation }: GuardedRoute,
  parts: AdmissionParts,
): Maybe<Admitted> {
  const own = resolved === 'none' ? parts.directory.byId(actor.tenantId) : resolved
  return then(own, (tenant) => {
    const isOwn = tenant?.id === actor.tenantId
    // First, because a deactivation ends the sessions as well: 403 gives the users the reason.
    if (isOwn && !tenant.isActive) throw new ServiceError('tenantInactive')
    parts.authenticator.refuseEnded(actor)
    if (!isOwn) throw new ServiceError('wrongTenant')
    requireAccess(actor, access, inPortal === true)
    if (impersonation === 'refused') refuseImpersonated({ actor })
    return { actor, tenant }
  })
}

/** @param inPortal whether sessions of the webhook portal, which customers of a tenant use, may call the route */
function requireAccess(actor: Actor, access: Access, inPortal: boolean): void {
  if (actor.credential.kind === 'portal' && !inPortal) throw refusal('notInPortal')
  if (isPermission(access) && !actor.permissions.has(access)) throw lacking(access)
}

function admitAnonymous(resolved: Resolved, access: Access, parts: AdmissionParts): Maybe<Admitted> {
  const named = resolved === 'none' ? parts.directory.byId(hostTenantId) : resolved
  return then(named, (tenant) => {
    // Signing in refuses a deactivated tenant itself, like a wrong password.
    const isGone = tenant === null || tenant.isBeingErased
    if (isGone || (!tenant.isActive && access !== 'anonymous')) {
      throw refusal('noSuch', { label: 'tenant' })
    }
    return { actor: null, tenant }
  })
}

function then<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
