/** Statements on users. `prepareInCatalogue` restricts its statements to one tenant, `prepareForUser` to one user. */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { CatalogueData, InstallationData, UserData } from '../../database/data.ts'
import { inJsonRows, jsonOfIds } from '../../database/json-rows.ts'
import { lockedIn } from '../../database/locked-rows.ts'
import {
  eachOf,
  pick,
  prepareForInstallation,
  prepareForUser,
  prepareInCatalogue,
} from '../../database/prepared.ts'
import type { AccountTable } from './table.ts'

export type Account = Selectable<AccountTable>

const byId = prepareInCatalogue((tables, p: { id: string }) =>
  tables.selectFrom('account').selectAll().where('id', '=', p.id),
)

export function findAccount(catalogue: CatalogueData, id: string): Promise<Account | null> {
  return catalogue.first(byId, { id })
}

const locked = prepareInCatalogue((tables, p: { id: string }, dialect) =>
  tables.selectFrom('account').selectAll().where('id', '=', p.id).$call(lockedIn(dialect)),
)

/** Locks the user until the transaction ends. */
export function lockAccount(catalogue: CatalogueData, id: string): Promise<Account | null> {
  return catalogue.first(locked, { id })
}

const tenantById = prepareForInstallation((tables, p: { id: string }) =>
  tables.selectFrom('account').select('tenant_id').where('id', '=', p.id),
)

/** @returns `null` without such a user in any tenant */
export async function findTenantOfAccount(
  installation: InstallationData,
  id: string,
): Promise<string | null> {
  return (await installation.first(tenantById, { id }))?.tenant_id ?? null
}

const byIds = prepareForInstallation((tables, p: { ids: string }, dialect) =>
  tables
    .selectFrom('account')
    .selectAll()
    .where(inJsonRows(dialect, 'id', { json: p.ids, name: 'id', type: 'id' })),
)

/** @returns the users among `ids` who exist, of all tenants */
export function findAccounts(installation: InstallationData, ids: readonly string[]): Promise<Account[]> {
  return installation.all(byIds, { ids: jsonOfIds(ids) })
}

const names = prepareInCatalogue((tables, p: { ids: string }, dialect) =>
  tables
    .selectFrom('account')
    .select(['id', 'user_name'])
    .where(inJsonRows(dialect, 'id', { json: p.ids, name: 'id', type: 'id' })),
)

/** @returns the user names by id, of the users among `ids` who exist */
export async function userNamesOf(
  catalogue: CatalogueData,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await catalogue.all(names, { ids: jsonOfIds(ids) })
  return new Map(rows.map(({ id, user_name }) => [id, user_name]))
}

const byUserName = prepareInCatalogue((tables, p: { key: string }) =>
  tables.selectFrom('account').selectAll().where('user_name_key', '=', p.key),
)

/** @param key the case-folded user name */
export function findByUserName(catalogue: CatalogueData, key: string): Promise<Account | null> {
  return catalogue.first(byUserName, { key })
}

const bySignInName = prepareInCatalogue((tables, p: { key: string }) =>
  tables
    .selectFrom('sign_in_name')
    .innerJoin('account', 'account.id', 'sign_in_name.account_id')
    .selectAll('account')
    .where('sign_in_name.name_key', '=', p.key),
)

/** @param key the case-folded user name or email */
export function findBySignInName(catalogue: CatalogueData, key: string): Promise<Account | null> {
  return catalogue.first(bySignInName, { key })
}

const signInNames = prepareForUser((tables) => tables.selectFrom('sign_in_name').select('name_key'))

export async function signInNamesOf(user: UserData): Promise<string[]> {
  return (await user.all(signInNames, {})).map(({ name_key }) => name_key)
}

const newSignInName = prepareForUser((tables, p: { key: string }) =>
  tables.insertInto('sign_in_name').values({ name_key: p.key }),
)

export async function insertSignInName(user: UserData, key: string): Promise<void> {
  await user.change(newSignInName, { key })
}

const formerSignInName = prepareForUser((tables, p: { key: string }) =>
  tables.deleteFrom('sign_in_name').where('name_key', '=', p.key),
)

export async function deleteSignInName(user: UserData, key: string): Promise<void> {
  await user.change(formerSignInName, { key })
}

interface PageRange {
  after: string
  limit: number
}

const page = prepareInCatalogue((tables, p: PageRange) =>
  tables.selectFrom('account').selectAll().where('id', '>', p.after).orderBy('id').limit(p.limit),
)

/** @returns users in the order of creation */
export function accountPage(catalogue: CatalogueData, range: PageRange): Promise<Account[]> {
  return catalogue.all(page, range)
}

const pageOfAll = prepareForInstallation((tables, p: PageRange) =>
  tables.selectFrom('account').selectAll().where('id', '>', p.after).orderBy('id').limit(p.limit),
)

/** Users of all tenants, in the order of creation. */
export function accountPageOfAll(installation: InstallationData, range: PageRange): Promise<Account[]> {
  return installation.all(pageOfAll, range)
}

const countOfAll = prepareForInstallation((tables) =>
  tables.selectFrom('account').select(({ fn }) => fn.countAll<number>().as('count')),
)

/** Counts the users of all tenants. */
export async function countAccounts(installation: InstallationData): Promise<number> {
  return (await installation.first(countOfAll, {}))?.count ?? 0
}

const anyOfAll = prepareForInstallation((tables) => tables.selectFrom('account').select('id').limit(1))

export async function hasAccounts(installation: InstallationData): Promise<boolean> {
  return (await installation.first(anyOfAll, {})) !== null
}

/** Matches the role between spaces, because a row has names joined by spaces. `!` escapes `_`, a wildcard of LIKE. */
function hasRole(pattern: string) {
  return sql<SqlBool>`' ' || roles || ' ' LIKE ${pattern} ESCAPE '!'`
}

/** @param role its name, which has only letters, digits, `_` and `-` */
function patternOf(role: string): string {
  return `% ${role.replaceAll('_', '!_')} %`
}

const otherAdmins = prepareInCatalogue((tables, p: { id: string; pattern: string }) =>
  tables
    .selectFrom('account')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '!=', p.id)
    .where('is_active', '=', true)
    .where(hasRole(p.pattern)),
)

/** Counts the other active administrators of the tenant. */
export async function countOtherAdmins(catalogue: CatalogueData, id: string): Promise<number> {
  return (await catalogue.first(otherAdmins, { id, pattern: patternOf('Admin') }))?.count ?? 0
}

const breakGlass = prepareInCatalogue((tables, p: { id: string }) =>
  tables
    .selectFrom('identity_provider')
    .select('tenant_id')
    .where('break_glass_account_id', '=', p.id)
    .where('is_enabled', '=', true)
    .where('is_required', '=', true),
)

/** Whether the tenant requires single sign-on, but not of this user. */
export async function isRequiredForBreakGlass(catalogue: CatalogueData, id: string): Promise<boolean> {
  return (await catalogue.first(breakGlass, { id })) !== null
}

const withRole = prepareInCatalogue((tables, p: { pattern: string }) =>
  tables
    .selectFrom('account')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(hasRole(p.pattern)),
)

export async function countAccountsWithRole(catalogue: CatalogueData, role: string): Promise<number> {
  return (await catalogue.first(withRole, { pattern: patternOf(role) }))?.count ?? 0
}

const combinations = prepareInCatalogue((tables, p: { pattern: string }) =>
  tables.selectFrom('account').select('roles').distinct().where(hasRole(p.pattern)),
)

/**
 * @returns the roles of each user who has the role, as stored and without repetitions: an actor may not take permissions
 *   from a role whose holders may do more than the actor
 */
export async function roleCombinations(catalogue: CatalogueData, role: string): Promise<string[]> {
  return (await catalogue.all(combinations, { pattern: patternOf(role) })).map(({ roles }) => roles)
}

type NewAccount = Insertable<AccountTable>

const accountColumns = [
  'id',
  'user_name',
  'user_name_key',
  'email',
  'email_key',
  'email_verified_at',
  'password_hash',
  'first_name',
  'last_name',
  'phone_number',
  'roles',
  'attributes',
  'is_active',
  'created_at',
  'version',
] as const

const newAccount = prepareInCatalogue((tables, p: NewAccount) =>
  tables.insertInto('account').values(pick(p, accountColumns)),
)

export async function insertAccount(catalogue: CatalogueData, row: NewAccount): Promise<void> {
  await catalogue.change(newAccount, row)
}

export type AccountChange = Partial<Omit<Account, 'id' | 'tenant_id'>>

/** One prepared statement for each set of columns that a change has (`given`). The other columns keep their values. */
const changed = eachOf(prepareInCatalogue, (tables, p: AccountChange & { id: string }, _dialect, given) => {
  const { id, ...change } = pick(p, given)
  return tables.updateTable('account').set(change).where('id', '=', id)
})

export async function updateAccountRow(
  catalogue: CatalogueData,
  id: string,
  change: AccountChange,
): Promise<void> {
  const parameters = { ...change, id }
  await catalogue.change(changed(parameters), parameters)
}

const removed = prepareInCatalogue((tables, p: { id: string }) =>
  tables.deleteFrom('account').where('id', '=', p.id),
)

export async function deleteAccountRow(catalogue: CatalogueData, id: string): Promise<void> {
  await catalogue.change(removed, { id })
}
