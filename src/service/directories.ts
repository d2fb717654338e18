/**
 * Creates the caches of roles, users, API keys, portal sessions and owners of rows, which changes on any instance
 * invalidate, and the interfaces by which features ask about users and callers.
 */
import type { DeclaredAttributes } from '../core/attributes.ts'
import { installation } from '../core/installation.ts'
import type { ApplicationRoles, Permissions } from '../core/permission.ts'
import type { InstallationData } from '../database/data.ts'
import type { Database } from '../database/executor.ts'
import { ApiKeyDirectory } from '../identity/api-key/directory.ts'
import { callersIn } from '../identity/owner/caller.ts'
import { OwnerDirectory } from '../identity/owner/directory.ts'
import { RoleDirectory } from '../identity/role/directory.ts'
import { UserDirectory } from '../identity/user/directory.ts'
import { usersIn } from '../identity/user/names.ts'
import { enqueueFormerUser } from '../jobs/former-user.ts'
import { PortalDirectory } from '../webhooks/portal/directory.ts'

/** What the features and the application declare. */
export interface Declared {
  permissions: Permissions
  attributes: DeclaredAttributes
  applicationRoles: ApplicationRoles
}

/** @param database of the catalogue @param declared called after the features are created */
export function createDirectories(database: Database, clock: () => Date, declared: () => Declared) {
  const permissions = () => declared().permissions
  const attributes = () => declared().attributes
  const applicationRoles = () => declared().applicationRoles
  const catalogue = credentials(database)
  const roles = new RoleDirectory(catalogue, { permissions, applicationRoles })
  const known = new UserDirectory(catalogue, attributes)
  /** What determines the rights of an API key, and of the caller of a job. */
  const rightsOfCallers = { roles, known, permissions, attributes }
  return {
    roles,
    /** The users that credentials belong to, by id. */
    known,
    owners: new OwnerDirectory({ catalogue, clock, roles, permissions, attributes }),
    apiKeys: new ApiKeyDirectory(catalogue, rightsOfCallers),
    portals: new PortalDirectory(catalogue, clock),
    /** What features may ask about users whose ids are in their rows. */
    users: { ...usersIn(catalogue), deleted: enqueueFormerUser },
    callers: callersIn(catalogue, { ...rightsOfCallers, clock }),
  }
}

/** Reads without a tenant: the tenant of a caller is known only once its credential has been found. */
export function credentials({ executor }: Database): InstallationData {
  return installation(executor, 'a credential says itself whose it is')
}
