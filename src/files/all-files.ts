import type { TenantData } from '../database/data.ts'
import type { StoredFile } from './schema.ts'
import { filePage } from './sql.ts'

const pageSize = 200
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** The files of a tenant, for operations on all of its rows. */
export async function* allFiles(data: TenantData): AsyncGenerator<StoredFile> {
  for (let after = beforeAll; ; ) {
    const page = await filePage(data, { after, limit: pageSize })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.id
  }
}
