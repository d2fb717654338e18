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
  emailKey: string
  moment: string
}

const roomMade = prepareInCatalogue((tables, p: Room) =>
  tables
    .deleteFrom('invitation')
    .where((is) => is.or([is('email_key', '=', p.emailKey), is('expires_at', '<=', p.moment)])),
)

/** Removes those that have expired, and the one to this address. */
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

/** @returns the deleted one, to exactly one of several simultaneous callers */
export function takeInvitation(catalogue: CatalogueData, id: string): Promise<InvitationRow | null> {
  return catalogue.first(taken, { id })
}
