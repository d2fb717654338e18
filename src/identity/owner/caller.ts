/** Loads the user or the API key that has enqueued a job, because the job runs with its present rights. */
import type { Actor, Callers } from '../../core/context.ts'
import { keyOwner, userOwner } from '../../core/owner.ts'
import type { InstallationData } from '../../database/data.ts'
import { findKnownKey, type KnownKeyParts } from '../api-key/known-key.ts'
import type { KnownUser } from '../user/directory.ts'

interface CallerParts extends KnownKeyParts {
  clock: () => Date
}

/** An owner is one of these prefixes with an id: `user:…` or `apiKey:…`. */
const [userPrefix, apiKeyPrefix] = [userOwner(''), keyOwner('')]

export function callersIn(catalogue: InstallationData, parts: CallerParts): Callers {
  return {
    load: (tenantId, owner) =>
      owner.startsWith(userPrefix)
        ? loadUser(parts, tenantId, owner.slice(userPrefix.length))
        : loadKey(catalogue, parts, { tenantId, id: owner.slice(apiKeyPrefix.length) }),
  }
}

async function loadUser(parts: CallerParts, tenantId: string, id: string): Promise<Actor | null> {
  const user = await activeUser(parts, tenantId, id)
  if (user === null) return null
  const { userName, roles } = user
  return {
    id,
    userName,
    tenantId,
    roles,
    credential: { kind: 'job', actsFor: id },
    permissions: parts.roles.permissionsOf(tenantId, roles),
    attributes: parts.known.attributesOf(id),
    impersonator: null,
  }
}

async function loadKey(
  catalogue: InstallationData,
  parts: CallerParts,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<Actor | null> {
  const key = await findKnownKey(catalogue, id, parts)
  if (key === null || key.actor.tenantId !== tenantId) return null
  const { actor, actsFor, expiresAtMs } = key
  if (expiresAtMs <= parts.clock().getTime()) return null
  return actsFor === null || (await activeUser(parts, tenantId, actsFor)) !== null ? actor : null
}

async function activeUser(
  { known, roles }: CallerParts,
  tenantId: string,
  id: string,
): Promise<KnownUser | null> {
  await known.load(tenantId, id)
  const user = known.peek(id)
  if (user === undefined || user.tenantId !== tenantId || !user.isActive) return null
  await roles.load(tenantId, user.roles)
  return user
}
