/** Statements on saved views. `prepareInCatalogue` restricts them to one tenant. */
import type { Selectable } from 'kysely'
import type { CatalogueData } from '../../database/data.ts'
import { eachOf, pick, prepareInCatalogue } from '../../database/prepared.ts'
import type { SavedViewTable } from './table.ts'

export type ViewRow = Omit<Selectable<SavedViewTable>, 'tenant_id'>

const columns = [
  'id',
  'account_id',
  'name',
  'entity',
  'content',
  'shared_with',
  'roles',
  'default_for',
  'version',
  'created_at',
  'updated_at',
] as const

interface ViewFilter {
  /** The user whose own views are among the result; `null` for shared views alone. */
  userId: string | null
  entity?: string
}

/** The id of no user. */
const noUser = '00000000-0000-0000-0000-000000000000'

const ofUserAndShared = eachOf(
  prepareInCatalogue,
  (tables, p: ViewFilter & { userId: string }, _dialect, given) => {
    const some = tables
      .selectFrom('saved_view')
      .select(columns)
      .where((eb) => eb.or([eb('account_id', '=', p.userId), eb('shared_with', '<>', 'nobody')]))
      .orderBy('id')
    return given.has('entity') ? some.where('entity', '=', p.entity ?? '') : some
  },
)

/** @returns the views of the user, and all that are shared with somebody, in the order of creation */
export function findViews(catalogue: CatalogueData, { userId, ...filter }: ViewFilter): Promise<ViewRow[]> {
  const parameters = { userId: userId ?? noUser, ...filter }
  return catalogue.all(ofUserAndShared(parameters), parameters)
}

const byId = prepareInCatalogue((tables, p: { id: string }) =>
  tables.selectFrom('saved_view').select(columns).where('id', '=', p.id),
)

export function findView(catalogue: CatalogueData, id: string): Promise<ViewRow | null> {
  return catalogue.first(byId, { id })
}

const countedOfUser = prepareInCatalogue((tables, p: { userId: string }) =>
  tables
    .selectFrom('saved_view')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.userId),
)

export async function countViewsOf(catalogue: CatalogueData, userId: string): Promise<number> {
  return Number((await catalogue.first(countedOfUser, { userId }))?.count ?? 0)
}

const added = prepareInCatalogue((tables, p: ViewRow) =>
  tables.insertInto('saved_view').values(pick(p, columns)),
)

export async function insertView(catalogue: CatalogueData, row: ViewRow): Promise<void> {
  await catalogue.change(added, row)
}

const changed = prepareInCatalogue((tables, p: ViewRow) =>
  tables
    .updateTable('saved_view')
    .set(pick(p, ['name', 'content', 'shared_with', 'roles', 'default_for', 'version', 'updated_at']))
    .where('id', '=', p.id),
)

export async function updateView(catalogue: CatalogueData, row: ViewRow): Promise<void> {
  await catalogue.change(changed, row)
}

const deleted = prepareInCatalogue((tables, p: { id: string }) =>
  tables.deleteFrom('saved_view').where('id', '=', p.id),
)

export async function deleteView(catalogue: CatalogueData, id: string): Promise<void> {
  await catalogue.change(deleted, { id })
}
