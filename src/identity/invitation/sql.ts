/** Statements on invitations. `prepareInCatalogue` restricts them to one tenant. */
import type { Selectable } from 'kysely'
import type { CatalogueData } from '../../database/data.ts'
import { pick, prepareInCatalogue } from '../../database/prepared.ts'
import type { InvitationTable } from './table.ts'

export type InvitationRow = Selectable<InvitationTable>

const all = prepareInCatalogue((tables) => tables.selectFrom('invitation').selectAll().orderBy('id'))

/** Sorted by id, which is the order of creation. */
export function invitationsOf(catalogue: CatalogueData): Promise<InvitationRow[]> {
  return catalogue.all(all, {})
}

interface Room {
  /** The case-folded address. */
  emailKey: string
  /** Invitations that have expired at this moment are removed. */
  moment: string
}

const roomMade = prepareInCatalogue((tables, p: Room) =>
  tables
    .deleteFrom('invitation')
    .where((eb) => eb.or([eb('email_key', '=', p.emailKey), eb('expires_at', '<=', p.moment)])),
)

/** Removes invitations that have expired, and the invitation of this address. */
export async function makeRoom(catalogue: CatalogueData, room: Room): Promise<void> {
  await catalogue.change(roomMade, room)
}

type NewInvitation = Omit<InvitationRow, 'tenant_id'>

const columns = [
  'id',
  'email',
  'email_key',
  'roles',
  'attributes',
  'invited_by',
  'invited_by_name',
  'created_at',
  'expires_at',
] as const

const added = prepareInCatalogue((tables, p: NewInvitation) =>
  tables.insertInto('invitation').values(pick(p, columns)),
)

export async function insertInvitation(catalogue: CatalogueData, row: NewInvitation): Promise<void> {
  await catalogue.change(added, row)
}

const taken = prepareInCatalogue((tables, p: { id: string }) =>
  tables.deleteFrom('invitation').where('id', '=', p.id).returningAll(),
)

/** Deletes the invitation. @returns the row, to exactly one of several simultaneous callers */
export function takeInvitation(catalogue: CatalogueData, id: string): Promise<InvitationRow | null> {
  return catalogue.first(taken, { id })
}
