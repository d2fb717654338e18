/**
 * Statements on the keys with which the service authenticates at the single sign-on provider of a tenant. A tenant has
 * one key that signs, and at most one that waits. To rotate them, a transaction that has locked the tenant first deletes
 * the signing key and then marks the waiting one, so that never two keys sign.
 */
import type { Insertable } from 'kysely'
import type { CatalogueData } from '../../../database/data.ts'
import { eachOf, pick, prepareInCatalogue } from '../../../database/prepared.ts'
import type { ProviderClientKeyTable } from './table.ts'

export type ClientKeyRow = Insertable<ProviderClientKeyTable>

const all = prepareInCatalogue((tables) =>
  tables.selectFrom('provider_client_key').selectAll().orderBy('is_signing', 'desc'),
)

/** @returns the keys; the first one signs */
export async function clientKeysOf(catalogue: CatalogueData): Promise<ClientKeyRow[]> {
  return (await catalogue.all(all, {})).map(({ tenant_id: _tenant, ...row }) => row)
}

const columns = ['id', 'public_key', 'private_key', 'is_signing', 'created_at'] as const

const added = prepareInCatalogue((tables, p: ClientKeyRow) =>
  tables.insertInto('provider_client_key').values(pick(p, columns)),
)

export async function insertClientKey(catalogue: CatalogueData, row: ClientKeyRow): Promise<void> {
  await catalogue.change(added, row)
}

const removed = eachOf(prepareInCatalogue, (tables, p: { except?: string }, _dialect, given) =>
  tables
    .deleteFrom('provider_client_key')
    .$if(given.has('except'), (query) => query.where('id', '!=', p.except ?? '')),
)

/** @param except a key that stays; `null` for none */
export async function deleteClientKeys(
  catalogue: CatalogueData,
  { except }: { except: string | null },
): Promise<void> {
  const parameters = except === null ? {} : { except }
  await catalogue.change(removed(parameters), parameters)
}

const signing = prepareInCatalogue((tables, p: { id: string }) =>
  tables.updateTable('provider_client_key').set({ is_signing: true }).where('id', '=', p.id),
)

export async function markSigning(catalogue: CatalogueData, id: string): Promise<void> {
  await catalogue.change(signing, { id })
}
