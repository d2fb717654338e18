import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { AccountTable, SignInNameTable } from '../../database/catalogue-tables.ts'
import type { InstallationData } from '../../database/data.ts'

export type Account = Selectable<AccountTable>

/** The tenant whose users a query may reach; `null` for all tenants (administrators of the host). */
export type UserScope = string | null

export async function findAccount(
  catalogue: InstallationData,
  scope: UserScope,
  id: string,
): Promise<Account | null> {
  return (await byId(catalogue, scope, id).executeTakeFirst()) ?? null
}

/** Those that exist, of all tenants. */
export async function findAccounts(catalogue: InstallationData, ids: readonly string[]): Promise<Account[]> {
  if (ids.length === 0) return []
  return catalogue.kysely
    .selectFrom('account')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
}

/** Locks the user until the transaction ends. */
export async function lockAccount(
  catalogue: InstallationData,
  scope: UserScope,
  id: string,
): Promise<Account | null> {
  const query = byId(catalogue, scope, id)
  const postgres = catalogue.executor.dialect === 'postgres' // SQLite has one writer anyway
  return (await (postgres ? query.forUpdate() : query).executeTakeFirst()) ?? null
}

/** @param key the folded user name */
export async function findByUserName(
  catalogue: InstallationData,
  tenantId: string,
  key: string,
): Promise<Account | null> {
  const query = catalogue.kysely.selectFrom('account').selectAll().where('tenant_id', '=', tenantId)
  return (await query.where('user_name_key', '=', key).executeTakeFirst()) ?? null
}

/** @param key the folded user name or email */
export async function findBySignInName(
  catalogue: InstallationData,
  tenantId: string,
  key: string,
): Promise<Account | null> {
  const row = await catalogue.kysely
    .selectFrom('sign_in_name')
    .innerJoin('account', 'account.id', 'sign_in_name.account_id')
    .selectAll('account')
    .where('sign_in_name.tenant_id', '=', tenantId)
    .where('sign_in_name.name_key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

export async function signInNamesOf(catalogue: InstallationData, accountId: string): Promise<string[]> {
  const query = catalogue.kysely.selectFrom('sign_in_name').select('name_key')
  const rows = await query.where('account_id', '=', accountId).execute()
  return rows.map(({ name_key }) => name_key)
}

export async function insertSignInName(
  catalogue: InstallationData,
  row: Insertable<SignInNameTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('sign_in_name').values(row).execute()
}

export async function deleteSignInNames(
  catalogue: InstallationData,
  tenantId: string,
  keys: readonly string[],
): Promise<void> {
  await catalogue.kysely
    .deleteFrom('sign_in_name')
    .where('tenant_id', '=', tenantId)
    .where('name_key', 'in', [...keys])
    .execute()
}

/** In the order of creation. */
export function accountPage(
  catalogue: InstallationData,
  scope: UserScope,
  after: string,
  limit: number,
): Promise<Account[]> {
  let query = catalogue.kysely.selectFrom('account').selectAll().where('id', '>', after)
  if (scope !== null) query = query.where('tenant_id', '=', scope)
  return query.orderBy('id').limit(limit).execute()
}

export async function countAccounts(catalogue: InstallationData): Promise<number> {
  const { count } = await catalogue.kysely
    .selectFrom('account')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function hasAccounts(catalogue: InstallationData): Promise<boolean> {
  return (await catalogue.kysely.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** A row has names joined by spaces. @param role letters, digits, `_` and `-` */
function hasRole(role: string) {
  const pattern = `% ${role.replaceAll('_', '!_')} %`
  return sql<SqlBool>`' ' || roles || ' ' LIKE ${pattern} ESCAPE '!'`
}

/** Counts the other active administrators of the tenant. */
export async function countOtherAdmins(
  catalogue: InstallationData,
  tenantId: string,
  id: string,
): Promise<number> {
  const { count } = await catalogue.kysely
    .selectFrom('account')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('id', '!=', id)
    .where('is_active', '=', true)
    .where(hasRole('Admin'))
    .executeTakeFirstOrThrow()
  return count
}

export async function countAccountsWithRole(
  catalogue: InstallationData,
  tenantId: string,
  role: string,
): Promise<number> {
  const { count } = await catalogue.kysely
    .selectFrom('account')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where(hasRole(role))
    .executeTakeFirstOrThrow()
  return count
}

/** Each combination of roles that contains the role. */
export async function roleCombinations(
  catalogue: InstallationData,
  tenantId: string,
  role: string,
): Promise<string[]> {
  const query = catalogue.kysely.selectFrom('account').select('roles').distinct()
  const rows = await query.where('tenant_id', '=', tenantId).where(hasRole(role)).execute()
  return rows.map(({ roles }) => roles)
}

export async function insertAccount(catalogue: InstallationData, row: Insertable<AccountTable>): Promise<void> {
  await catalogue.kysely.insertInto('account').values(row).execute()
}

export async function updateAccountRow(
  catalogue: InstallationData,
  id: string,
  change: Updateable<AccountTable>,
): Promise<void> {
  await catalogue.kysely.updateTable('account').set(change).where('id', '=', id).execute()
}

export async function deleteAccountRow(catalogue: InstallationData, id: string): Promise<void> {
  await catalogue.kysely.deleteFrom('account').where('id', '=', id).execute()
}

function byId(catalogue: InstallationData, scope: UserScope, id: string) {
  const query = catalogue.kysely.selectFrom('account').selectAll().where('id', '=', id)
  return scope === null ? query : query.where('tenant_id', '=', scope)
}
