/** Statements on identity providers. `prepareInCatalogue` restricts them to one tenant, `prepareForUser` to one user. */
import type { Insertable, Selectable } from 'kysely'
import type { CatalogueData, UserData } from '../../database/data.ts'
import { eachOf, pick, prepareForUser, prepareInCatalogue } from '../../database/prepared.ts'
import type {
  IdentityProviderTable,
  ProvenDomainTable,
  ProviderIdentityTable,
  ProviderSessionTable,
} from './table.ts'

export type IdentityProviderRow = Selectable<IdentityProviderTable>
export type DomainRow = Selectable<ProvenDomainTable>

const provider = prepareInCatalogue((tables) => tables.selectFrom('identity_provider').selectAll())

export function findProvider(catalogue: CatalogueData): Promise<IdentityProviderRow | null> {
  return catalogue.first(provider, {})
}

type NewProvider = Omit<IdentityProviderRow, 'tenant_id'>

const changingColumns = [
  'issuer',
  'client_id',
  'client_secret',
  'options',
  'is_enabled',
  'is_required',
  'break_glass_account_id',
  'version',
] as const

const providerWritten = prepareInCatalogue((tables, p: NewProvider) =>
  tables
    .insertInto('identity_provider')
    .values(pick(p, [...changingColumns, 'created_at']))
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(pick(p, changingColumns))),
)

export async function upsertProvider(catalogue: CatalogueData, row: NewProvider): Promise<void> {
  await catalogue.change(providerWritten, row)
}

const providerDeleted = prepareInCatalogue((tables) => tables.deleteFrom('identity_provider'))

/** @returns whether the tenant had a provider */
export async function deleteProvider(catalogue: CatalogueData): Promise<boolean> {
  return (await catalogue.change(providerDeleted, {})) === 1
}

const domains = prepareInCatalogue((tables) =>
  tables.selectFrom('proven_domain').selectAll().orderBy('domain'),
)

export function domainsOf(catalogue: CatalogueData): Promise<DomainRow[]> {
  return catalogue.all(domains, {})
}

const byDomain = prepareInCatalogue((tables, p: { domain: string }) =>
  tables.selectFrom('proven_domain').selectAll().where('domain', '=', p.domain),
)

export function findDomain(catalogue: CatalogueData, domain: string): Promise<DomainRow | null> {
  return catalogue.first(byDomain, { domain })
}

type NewDomain = Omit<DomainRow, 'tenant_id'>

const domainColumns = ['domain', 'proof', 'verified_at', 'created_at'] as const

const domainAdded = prepareInCatalogue((tables, p: NewDomain) =>
  tables.insertInto('proven_domain').values(pick(p, domainColumns)),
)

export async function insertDomain(catalogue: CatalogueData, row: NewDomain): Promise<void> {
  await catalogue.change(domainAdded, row)
}

const verified = prepareInCatalogue((tables, p: { domain: string; moment: string }) =>
  tables.updateTable('proven_domain').set({ verified_at: p.moment }).where('domain', '=', p.domain),
)

export async function markVerified(catalogue: CatalogueData, domain: string, moment: string): Promise<void> {
  await catalogue.change(verified, { domain, moment })
}

const domainDeleted = prepareInCatalogue((tables, p: { domain: string }) =>
  tables.deleteFrom('proven_domain').where('domain', '=', p.domain),
)

/** @returns whether the tenant had the domain */
export async function deleteDomain(catalogue: CatalogueData, domain: string): Promise<boolean> {
  return (await catalogue.change(domainDeleted, { domain })) === 1
}

export interface IdentityKey {
  issuer: string
  subject: string
}

const identityUsed = prepareInCatalogue((tables, p: IdentityKey & { moment: string }) =>
  tables
    .updateTable('provider_identity')
    .set({ last_used_at: p.moment })
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject)
    .returning('account_id'),
)

/** Marks the identity as used. @returns the id of its user, or `null` */
export async function useIdentity(
  catalogue: CatalogueData,
  { issuer, subject }: IdentityKey,
  moment: string,
): Promise<string | null> {
  return (await catalogue.first(identityUsed, { issuer, subject, moment }))?.account_id ?? null
}

type NewIdentity = Omit<Insertable<ProviderIdentityTable>, 'account_id' | 'tenant_id'>

const identityColumns = ['issuer', 'subject', 'created_at', 'last_used_at'] as const

const identityAdded = prepareForUser((tables, p: NewIdentity) =>
  tables.insertInto('provider_identity').values(pick(p, identityColumns)),
)

export async function insertIdentity(user: UserData, row: NewIdentity): Promise<void> {
  await user.change(identityAdded, row)
}

const subjects = prepareForUser((tables, p: { issuer: string }) =>
  tables.selectFrom('provider_identity').select('subject').where('issuer', '=', p.issuer).limit(1),
)

/** Whether the user is already linked with a subject of this issuer. */
export async function hasIdentity(user: UserData, issuer: string): Promise<boolean> {
  return (await user.first(subjects, { issuer })) !== null
}

/** Two spellings of one issuer. */
interface Renaming {
  from: string
  to: string
}

const identitiesRenamed = prepareInCatalogue((tables, p: Renaming) =>
  tables.updateTable('provider_identity').set({ issuer: p.to }).where('issuer', '=', p.from),
)

const sessionsRenamed = prepareInCatalogue((tables, p: Renaming) =>
  tables.updateTable('provider_session').set({ issuer: p.to }).where('issuer', '=', p.from),
)

/** Changes the spelling of the issuer of known users and sessions. */
export async function renameIssuer(catalogue: CatalogueData, renaming: Renaming): Promise<void> {
  await catalogue.change(identitiesRenamed, renaming)
  await catalogue.change(sessionsRenamed, renaming)
}

const identitiesDeleted = prepareInCatalogue((tables) => tables.deleteFrom('provider_identity'))

/** Deletes the identities that the users have at the provider. */
export async function deleteIdentities(catalogue: CatalogueData): Promise<void> {
  await catalogue.change(identitiesDeleted, {})
}

export type ProviderSessionRow = Selectable<ProviderSessionTable>
type NewProviderSession = Insertable<ProviderSessionTable>

const sessionColumns = ['session_id', 'issuer', 'subject', 'provider_sid', 'id_token'] as const

const sessionAdded = prepareInCatalogue((tables, p: NewProviderSession) =>
  tables.insertInto('provider_session').values(pick(p, sessionColumns)),
)

export async function insertProviderSession(
  catalogue: CatalogueData,
  row: NewProviderSession,
): Promise<void> {
  await catalogue.change(sessionAdded, row)
}

const session = prepareInCatalogue((tables, p: { sessionId: string }) =>
  tables.selectFrom('provider_session').selectAll().where('session_id', '=', p.sessionId),
)

export function findProviderSession(
  catalogue: CatalogueData,
  sessionId: string,
): Promise<ProviderSessionRow | null> {
  return catalogue.first(session, { sessionId })
}

/** What a provider signs out: a session of the provider, or all sessions of a user. One of the two is not `null`. */
export interface ProviderLogout {
  issuer: string
  subject: string | null
  sid: string | null
}

interface SignedOut {
  issuer: string
  moment: string
  subject?: string
  sid?: string
}

const signedOut = eachOf(prepareInCatalogue, (tables, p: SignedOut, _dialect, given) =>
  tables
    .selectFrom('provider_session')
    .innerJoin('session', 'session.id', 'provider_session.session_id')
    .select(['session.id', 'session.account_id as accountId'])
    .where('provider_session.issuer', '=', p.issuer)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', p.moment)
    .$if(given.has('subject'), (query) => query.where('provider_session.subject', '=', p.subject ?? ''))
    .$if(given.has('sid'), (query) =>
      query.where((eb) => {
        const isSession = eb('provider_session.provider_sid', '=', p.sid ?? '')
        return given.has('subject')
          ? eb.or([isSession, eb('provider_session.provider_sid', 'is', null)])
          : isSession
      }),
    )
    .orderBy('session.id'),
)

/** Finds live sessions, sorted by id. A session that began without a `sid` matches every `sid` of its user. */
export function liveSessionsFrom(
  catalogue: CatalogueData,
  { issuer, subject, sid }: ProviderLogout,
  moment: string,
): Promise<{ id: string; accountId: string }[]> {
  const parameters = { issuer, moment, ...(subject !== null && { subject }), ...(sid !== null && { sid }) }
  return catalogue.all(signedOut(parameters), parameters)
}

const identity = prepareInCatalogue((tables, p: IdentityKey) =>
  tables
    .selectFrom('provider_identity')
    .select('account_id')
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject),
)

/** @returns the id of the user who is linked with the subject, or `null` */
export async function findIdentity(
  catalogue: CatalogueData,
  { issuer, subject }: IdentityKey,
): Promise<string | null> {
  return (await catalogue.first(identity, { issuer, subject }))?.account_id ?? null
}
