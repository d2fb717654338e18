import type { Insertable, Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type {
  IdentityProviderTable,
  ProvenDomainTable,
  ProviderIdentityTable,
  ProviderSessionTable,
} from '../../database/identity-tables.ts'

export type IdentityProviderRow = Selectable<IdentityProviderTable>
export type DomainRow = Selectable<ProvenDomainTable>

export async function findProvider(
  catalogue: InstallationData,
  tenantId: string,
): Promise<IdentityProviderRow | null> {
  const query = catalogue.kysely.selectFrom('identity_provider').selectAll()
  return (await query.where('tenant_id', '=', tenantId).executeTakeFirst()) ?? null
}

export async function upsertProvider(catalogue: InstallationData, row: IdentityProviderRow): Promise<void> {
  const { tenant_id: _tenant, created_at: _created, ...change } = row
  await catalogue.kysely
    .insertInto('identity_provider')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(change))
    .execute()
}

/** @returns whether there was one */
export async function deleteProvider(catalogue: InstallationData, tenantId: string): Promise<boolean> {
  const { numDeletedRows } = await catalogue.kysely
    .deleteFrom('identity_provider')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export function domainsOf(catalogue: InstallationData, tenantId: string): Promise<DomainRow[]> {
  const query = catalogue.kysely.selectFrom('proven_domain').selectAll().where('tenant_id', '=', tenantId)
  return query.orderBy('domain').execute()
}

export async function findDomain(
  catalogue: InstallationData,
  tenantId: string,
  domain: string,
): Promise<DomainRow | null> {
  const query = catalogue.kysely.selectFrom('proven_domain').selectAll().where('tenant_id', '=', tenantId)
  return (await query.where('domain', '=', domain).executeTakeFirst()) ?? null
}

export async function insertDomain(catalogue: InstallationData, row: DomainRow): Promise<void> {
  await catalogue.kysely.insertInto('proven_domain').values(row).execute()
}

export async function markVerified(
  catalogue: InstallationData,
  { tenant_id, domain }: DomainRow,
  moment: string,
): Promise<void> {
  await catalogue.kysely
    .updateTable('proven_domain')
    .set({ verified_at: moment })
    .where('tenant_id', '=', tenant_id)
    .where('domain', '=', domain)
    .execute()
}

/** @returns whether there was one */
export async function deleteDomain(
  catalogue: InstallationData,
  tenantId: string,
  domain: string,
): Promise<boolean> {
  const { numDeletedRows } = await catalogue.kysely
    .deleteFrom('proven_domain')
    .where('tenant_id', '=', tenantId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export interface IdentityKey {
  tenantId: string
  issuer: string
  subject: string
}

/** Marks the identity as used. @returns the id of its user, or `null` */
export async function useIdentity(
  catalogue: InstallationData,
  { tenantId, issuer, subject }: IdentityKey,
  moment: string,
): Promise<string | null> {
  const row = await catalogue.kysely
    .updateTable('provider_identity')
    .set({ last_used_at: moment })
    .where('tenant_id', '=', tenantId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('account_id')
    .executeTakeFirst()
  return row?.account_id ?? null
}

export async function insertIdentity(
  catalogue: InstallationData,
  row: Insertable<ProviderIdentityTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('provider_identity').values(row).execute()
}

/** Whether the user is already someone else at this issuer. */
export async function hasIdentity(
  catalogue: InstallationData,
  accountId: string,
  issuer: string,
): Promise<boolean> {
  const row = await catalogue.kysely
    .selectFrom('provider_identity')
    .select('subject')
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Writes the issuer of known users and sessions in another way. */
export async function renameIssuer(
  catalogue: InstallationData,
  tenantId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const table of ['provider_identity', 'provider_session'] as const)
    await catalogue.kysely
      .updateTable(table)
      .set({ issuer: to })
      .where('tenant_id', '=', tenantId)
      .where('issuer', '=', from)
      .execute()
}

/** Forgets who the users are at the provider. */
export async function deleteIdentities(catalogue: InstallationData, tenantId: string): Promise<void> {
  await catalogue.kysely.deleteFrom('provider_identity').where('tenant_id', '=', tenantId).execute()
}

export type ProviderSessionRow = Selectable<ProviderSessionTable>

export async function insertProviderSession(
  catalogue: InstallationData,
  row: Insertable<ProviderSessionTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('provider_session').values(row).execute()
}

export async function findProviderSession(
  catalogue: InstallationData,
  sessionId: string,
): Promise<ProviderSessionRow | null> {
  const query = catalogue.kysely.selectFrom('provider_session').selectAll()
  return (await query.where('session_id', '=', sessionId).executeTakeFirst()) ?? null
}

/** Whom a provider signs out: a session of it, or all sessions of a user. One of the two is not `null`. */
export interface ProviderLogout {
  tenantId: string
  issuer: string
  subject: string | null
  sid: string | null
}

/** In the order of their ids. A session that began without a `sid` is each of its user. */
export async function liveSessionsFrom(
  catalogue: InstallationData,
  { tenantId, issuer, subject, sid }: ProviderLogout,
  moment: string,
): Promise<{ id: string; accountId: string }[]> {
  let query = catalogue.kysely
    .selectFrom('provider_session')
    .innerJoin('session', 'session.id', 'provider_session.session_id')
    .select(['session.id', 'session.account_id as accountId'])
    .where('provider_session.tenant_id', '=', tenantId)
    .where('provider_session.issuer', '=', issuer)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', moment)
  if (subject !== null) query = query.where('provider_session.subject', '=', subject)
  if (sid !== null)
    query = query.where((is) => {
      const isThis = is('provider_session.provider_sid', '=', sid)
      return subject === null ? isThis : is.or([isThis, is('provider_session.provider_sid', 'is', null)])
    })
  return query.orderBy('session.id').execute()
}

/** @returns the id of the user, or `null` */
export async function findIdentity(
  catalogue: InstallationData,
  { tenantId, issuer, subject }: IdentityKey,
): Promise<string | null> {
  const row = await catalogue.kysely
    .selectFrom('provider_identity')
    .select('account_id')
    .where('tenant_id', '=', tenantId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.account_id ?? null
}
