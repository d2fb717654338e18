/** Products put straight into the database, for tests that need more than are worth creating one by one. */

import { newId } from '../../src/core/id.ts'
import { TenantData } from '../../src/database/data.ts'
import type { TestService } from './service.ts'

/** SQLite takes 32 766 parameters in one statement, and a row has ten. */
const rowsPerStatement = 1000

/** @returns the ids, in the order of creation */
export async function insertProducts(
  { service }: TestService,
  tenantId: string,
  names: readonly string[],
): Promise<string[]> {
  const { shared } = await service.operator()
  const rows = names.map(toRow)
  await shared.catalogueDatabase.transaction(async (transaction) => {
    const data = new TenantData(tenantId, transaction)
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      const some = rows.slice(start, start + rowsPerStatement)
      await data.kysely.insertInto('product').values(some).execute()
    }
  })
  return rows.map(({ id }) => id)
}

function toRow(name: string, index: number) {
  const moment = new Date().toISOString()
  return {
    id: newId(),
    name,
    search_name: name.toLowerCase(),
    description: index % 3 === 0 ? `The one of place ${index}` : null,
    price: index / 100,
    is_active: index % 2 === 0,
    category_id: null,
    created_at: moment,
    updated_at: moment,
    version: 1,
  }
}
