import type { Insertable } from 'kysely'
import type { CatalogueData, InstallationData } from '../../../database/data.ts'
import { pick, prepareForInstallation, prepareInCatalogue } from '../../../database/prepared.ts'
import type { SessionRow } from '../sql.ts'
import '../table.ts' // declares that refresh tokens belong to a tenant by their session
import type { RefreshTokenTable } from '../table.ts'

type NewToken = Insertable<RefreshTokenTable>

const columns = ['hash', 'session_id', 'created_at', 'rotated_at'] as const

const added = prepareInCatalogue((tables, p: NewToken) =>
  tables.insertInto('refresh_token').values(pick(p, columns)),
)

export function insertRefreshToken(catalogue: CatalogueData, row: NewToken): Promise<void> {
  return catalogue.defer(added, row)
}

const byHash = prepareForInstallation((tables, p: { hash: string }) =>
  tables
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'refresh_token.session_id')
    .selectAll('session')
    .select('refresh_token.rotated_at')
    .where('refresh_token.hash', '=', p.hash),
)

/** The session of a refresh token of any tenant, and when the token was exchanged for its successor. */
export function findByRefreshToken(
  installation: InstallationData,
  hash: string,
): Promise<(SessionRow & { rotated_at: string | null }) | null> {
  return installation.first(byHash, { hash })
}

const rotated = prepareInCatalogue((tables, p: { hash: string; moment: string }) =>
  tables
    .updateTable('refresh_token')
    .set({ rotated_at: p.moment })
    .where('hash', '=', p.hash)
    .where('rotated_at', 'is', null),
)

/** @returns `true` for exactly one of several simultaneous callers */
export async function markRotated(catalogue: CatalogueData, hash: string, moment: string): Promise<boolean> {
  return (await catalogue.change(rotated, { hash, moment })) === 1
}

/** A token that was exchanged for its successor. */
interface Exchanged {
  sessionId: string
  hash: string
  rotatedAt: string
}

/** Compares with >=, because a successor may be exchanged in the millisecond in which it was issued. */
const laterRotated = prepareInCatalogue((tables, p: Exchanged) =>
  tables
    .selectFrom('refresh_token')
    .select('hash')
    .where('session_id', '=', p.sessionId)
    .where('hash', '<>', p.hash)
    .where('created_at', '>=', p.rotatedAt)
    .where('rotated_at', '>=', p.rotatedAt)
    .limit(1),
)

/** Whether a successor of an exchanged token of the session was exchanged itself. */
export async function hasUsedSuccessor(catalogue: CatalogueData, token: Exchanged): Promise<boolean> {
  return (await catalogue.first(laterRotated, token)) !== null
}

const withdrawn = prepareInCatalogue((tables, p: { sessionId: string; moment: string }) =>
  tables
    .updateTable('refresh_token')
    .set({ rotated_at: p.moment })
    .where('session_id', '=', p.sessionId)
    .where('rotated_at', 'is', null),
)

/** Marks the tokens of the session that were not exchanged as exchanged at this moment. */
export async function withdrawUnused(
  catalogue: CatalogueData,
  sessionId: string,
  moment: string,
): Promise<void> {
  await catalogue.change(withdrawn, { sessionId, moment })
}
