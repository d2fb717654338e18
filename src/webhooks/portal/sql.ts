import type { Insertable, Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type { PortalSessionTable } from '../../database/webhook-tables.ts'

export type PortalSessionRow = Selectable<PortalSessionTable>

export async function insertPortalSession(
  catalogue: InstallationData,
  row: Insertable<PortalSessionTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('portal_session').values(row).execute()
}

/** Of any tenant: the token itself says which. */
export async function findByDigest(
  catalogue: InstallationData,
  digest: string,
): Promise<PortalSessionRow | null> {
  const query = catalogue.kysely.selectFrom('portal_session').selectAll().where('digest', '=', digest)
  return (await query.executeTakeFirst()) ?? null
}

/** Of any tenant: the page is served before its token is known. */
export async function findPortalSession(
  catalogue: InstallationData,
  id: string,
): Promise<PortalSessionRow | null> {
  const query = catalogue.kysely.selectFrom('portal_session').selectAll().where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** @returns how many sessions of the tenant have not expired */
export async function countLiveSessions(
  catalogue: InstallationData,
  tenantId: string,
  moment: string,
): Promise<number> {
  const query = catalogue.kysely.selectFrom('portal_session').where('tenant_id', '=', tenantId)
  const { count } = await query
    .where('expires_at', '>', moment)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Those that are open, as is what made them, newest first. @param before the id after which the page begins, or `null` */
export function portalSessionPage(
  catalogue: InstallationData,
  tenantId: string,
  { moment, before, limit }: { moment: string; before: string | null; limit: number },
): Promise<PortalSessionRow[]> {
  const query = catalogue.kysely
    .selectFrom('portal_session')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('portal_session.expires_at', '>', moment)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('session')
            .select('session.id')
            .whereRef('session.id', '=', 'maker_id')
            .where('revoked_at', 'is', null),
        ),
        exists(
          selectFrom('api_key')
            .select('api_key.id')
            .whereRef('api_key.id', '=', 'maker_id')
            .where((key) =>
              key.or([key('api_key.expires_at', 'is', null), key('api_key.expires_at', '>', moment)]),
            ),
        ),
      ]),
    )
  return (before === null ? query : query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** @returns the deleted row */
export async function deletePortalSession(
  catalogue: InstallationData,
  tenantId: string,
  id: string,
): Promise<PortalSessionRow | null> {
  const query = catalogue.kysely.deleteFrom('portal_session').where('tenant_id', '=', tenantId)
  return (await query.where('id', '=', id).returningAll().executeTakeFirst()) ?? null
}

/** @returns the ids of expired sessions, the earliest expired first */
export async function sessionsExpiredBefore(
  catalogue: InstallationData,
  moment: string,
  limit: number,
): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('portal_session')
    .select('id')
    .where('expires_at', '<', moment)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deletePortalSessions(
  catalogue: InstallationData,
  ids: readonly string[],
): Promise<void> {
  await catalogue.kysely
    .deleteFrom('portal_session')
    .where('id', 'in', [...ids])
    .execute()
}
