import { entity } from '../entity/entity.ts'
import { type TableOf, text } from '../entity/field.ts'

const fields = {
  name: text({ ignoreCase: true, examples: ['Furniture'] }).describe('Unique within the tenant'),
}

export const category = entity('category', {
  description: 'A category of products.',
  fields,
  unique: [['name']],
  sort: [],
  audit: false,
  plainList: true,
})

declare module '../database/tenant-tables.ts' {
  interface TenantTables {
    category: TableOf<typeof fields>
  }
}
