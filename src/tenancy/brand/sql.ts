/** Statements on the logos of one tenant: `prepareInCatalogue` restricts each to the tenant of its `CatalogueData`. */
import type { Selectable } from 'kysely'
import type { TenantLogoTable } from '../../core/tenant/table.ts'
import type { CatalogueData } from '../../database/data.ts'
import { pick, prepareInCatalogue } from '../../database/prepared.ts'

type NewLogo = Omit<Selectable<TenantLogoTable>, 'tenant_id'>

const columns = ['theme', 'type', 'width', 'height', 'sha256', 'content', 'updated_at'] as const

const content = prepareInCatalogue((tables, p: { theme: string }) =>
  tables.selectFrom('tenant_logo').select('content').where('theme', '=', p.theme),
)

export async function findLogoContent(catalogue: CatalogueData, theme: string): Promise<Uint8Array | null> {
  return (await catalogue.first(content, { theme }))?.content ?? null
}

const deleted = prepareInCatalogue((tables, p: { theme: string }) =>
  tables.deleteFrom('tenant_logo').where('theme', '=', p.theme),
)

export async function deleteLogo(catalogue: CatalogueData, theme: string): Promise<void> {
  await catalogue.change(deleted, { theme })
}

const added = prepareInCatalogue((tables, p: NewLogo) =>
  tables.insertInto('tenant_logo').values(pick(p, columns)),
)

export async function insertLogo(catalogue: CatalogueData, row: NewLogo): Promise<void> {
  await catalogue.change(added, row)
}
