import type { TenantData } from '../database/data.ts'
import { beforeAllIds } from '../database/json-page.ts'
import type { StoredFile } from './schema.ts'
import { filePage } from './sql.ts'

const pageSize = 200

/** Iterates over all files of a tenant, page by page. */
export async function* allFiles(data: TenantData): AsyncGenerator<StoredFile> {
  for (let after = beforeAllIds; ; ) {
    const page = await filePage(data, { after, limit: pageSize })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.id
  }
}
