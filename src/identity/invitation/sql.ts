import type { Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type { InvitationTable } from '../../database/identity-tables.ts'

export type InvitationRow = Selectable<InvitationTable>

/** Sorted by id, which is the order of creation. */
export function invitationsOf(catalogue: InstallationData, tenantId: string): Promise<InvitationRow[]> {
  const query = catalogue.kysely.selectFrom('invitation').selectAll().where('tenant_id', '=', tenantId)
  return query.orderBy('id').execute()
}

/** Removes those that have expired, and the one to this address. */
export async function makeRoom(
  catalogue: InstallationData,
  tenantId: string,
  { emailKey, moment }: { emailKey: string; moment: string },
): Promise<void> {
  await catalogue.kysely
    .deleteFrom('invitation')
    .where('tenant_id', '=', tenantId)
    .where((where) => where.or([where('email_key', '=', emailKey), where('expires_at', '<=', moment)]))
    .execute()
}

export async function insertInvitation(catalogue: InstallationData, row: InvitationRow): Promise<void> {
  await catalogue.kysely.insertInto('invitation').values(row).execute()
}

/** @returns the deleted one, to exactly one of several simultaneous callers */
export async function takeInvitation(
  catalogue: InstallationData,
  tenantId: string,
  id: string,
): Promise<InvitationRow | null> {
  const row = await catalogue.kysely
    .deleteFrom('invitation')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}
