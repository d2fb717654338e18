import type { Selectable } from 'kysely'
import type { CatalogueData, InstallationData } from '../../database/data.ts'
import { expiringRows } from '../../database/expiring-rows.ts'
import { pick, prepareForInstallation, prepareInCatalogue } from '../../database/prepared.ts'
import type { PortalSessionTable } from './table.ts'

export type PortalSessionRow = Selectable<PortalSessionTable>

const columns = [
  'id',
  'digest',
  'customer',
  'events',
  'is_read_only',
  'origins',
  'maker_kind',
  'maker_id',
  'created_at',
  'expires_at',
] as const

type NewPortalSession = Pick<PortalSessionRow, (typeof columns)[number]>

const added = prepareInCatalogue((tables, p: NewPortalSession) =>
  tables.insertInto('portal_session').values(pick(p, columns)),
)

export async function insertPortalSession(catalogue: CatalogueData, row: NewPortalSession): Promise<void> {
  await catalogue.change(added, row)
}

const byDigest = prepareForInstallation((tables, p: { digest: string }) =>
  tables.selectFrom('portal_session').selectAll().where('digest', '=', p.digest),
)

/** Finds a session of any tenant: the tenant is known only after the session is found. */
export function findByDigest(
  installation: InstallationData,
  digest: string,
): Promise<PortalSessionRow | null> {
  return installation.first(byDigest, { digest })
}

const byId = prepareForInstallation((tables, p: { id: string }) =>
  tables.selectFrom('portal_session').selectAll().where('id', '=', p.id),
)

/** Finds a session of any tenant: the page is served before its token is known. */
export function findPortalSession(
  installation: InstallationData,
  id: string,
): Promise<PortalSessionRow | null> {
  return installation.first(byId, { id })
}

const live = prepareInCatalogue((tables, p: { moment: string }) =>
  tables
    .selectFrom('portal_session')
    .where('expires_at', '>', p.moment)
    .select(({ fn }) => fn.countAll().as('count')),
)

/** @returns how many sessions of the tenant have not expired */
export async function countLiveSessions(catalogue: CatalogueData, moment: string): Promise<number> {
  return Number((await catalogue.first(live, { moment }))?.count)
}

const ended = prepareInCatalogue((tables, p: { id: string }) =>
  tables.deleteFrom('portal_session').where('id', '=', p.id).returningAll(),
)

/** @returns the deleted row */
export function deletePortalSession(catalogue: CatalogueData, id: string): Promise<PortalSessionRow | null> {
  return catalogue.first(ended, { id })
}

export const expiringSessions = expiringRows('portal_session')
