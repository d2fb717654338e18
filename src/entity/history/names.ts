/** Tells who made versions. Names of users are read, not stored, so that a deleted user has none. */
import { type Context, hostTenantId } from '../../core/context.ts'
import type { SupersededVersion } from './sql.ts'

type VersionActor = Pick<SupersededVersion, 'actor_id' | 'impersonator_id'>

export interface VersionMaker {
  actorId: string | null
  actorName: string | null
  impersonatorId: string | null
  impersonatorName: string | null
}

export const unknownMaker: VersionMaker = {
  actorId: null,
  actorName: null,
  impersonatorId: null,
  impersonatorName: null,
}

/** @returns a function that tells the maker of each of the versions */
export async function makersOf(
  { shared, tenant }: Context,
  versions: readonly VersionActor[],
): Promise<(version: VersionActor) => VersionMaker> {
  const [users, administrators] = await Promise.all([
    named(tenant.id, (each) => each.actor_id),
    named(hostTenantId, (each) => each.impersonator_id),
  ])
  return ({ actor_id: actorId, impersonator_id: impersonatorId }) => ({
    actorId,
    actorName: users.get(actorId ?? '') ?? null,
    impersonatorId,
    impersonatorName: administrators.get(impersonatorId ?? '') ?? null,
  })

  async function named(tenantId: string, idOf: (version: VersionActor) => string | null) {
    const ids = [...new Set(versions.flatMap((each) => idOf(each) ?? []))]
    return ids.length === 0 ? new Map<string, string>() : shared.users.named(tenantId, ids)
  }
}
