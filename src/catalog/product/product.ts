/** The entity of products. */
import { entity } from '../../entity/entity.ts'
import type { EventsOf } from '../../entity/event-payload.ts'
import { boolean, type InputOf, money, reference, text } from '../../entity/field.ts'
import type { TableOf } from '../../entity/table-type.ts'
import { category } from '../category.ts'
import { productLabels } from './labels.ts'

const fields = {
  name: text({ examples: ['Walnut desk'] }).describe('Display name. Searches match parts of it'),
  description: text({ min: 0, max: 2000, examples: ['A desk of solid walnut.'] })
    .optional()
    .describe('What the product is, in more words'),
  price: money(),
  isActive: boolean().default(true).describe('Whether the list of active products has it'),
  category: reference(category).shown().optional().describe('The category of the product'),
}

export const product = entity('product', {
  description: 'A product of a tenant.',
  fields,
  sort: ['createdAt', 'price', 'name'],
  search: ['name'],
  live: true,
  history: true,
  trash: { days: 30 },
  access: { list: 'public' },
  payload: { created: ['name', 'price'], updated: ['name', 'price', 'isActive'] },
  audit: false,
  plainList: true, // `products` of GraphQL is the whole list; its pages are `productsConnection`
  console: {
    icon: 'package',
    tint: 'iris',
    group: 'Catalogue',
    order: 1,
    subtitle: '{category}',
    list: {
      columns: ['name', 'isActive', 'category', 'price'],
      views: [
        { name: 'Active', filter: { isActive: true }, sort: 'name' },
        { name: 'Inactive', filter: { isActive: false }, sort: 'name' },
      ],
    },
    sections: [
      { title: 'Product', fields: ['name', 'description'] },
      { title: 'Sale', side: true, fields: ['price', 'isActive', 'category'] },
    ],
    widgets: { description: 'multiline', isActive: 'switch' },
    badges: { inactive: { if: { isActive: false }, tone: 'neutral' } },
  },
  labels: productLabels,
  without: ['replace'], // products have a PUT of their own, which leaves omitted members unchanged
  notes: {
    list: 'Lists active and inactive products.',
    get: 'Returns active and inactive products.',
    create: 'The product is active unless `isActive` is `false`.',
    delete: 'Orders keep their copies of its name and price.',
  },
})

export type ProductInput = InputOf<typeof fields>

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends EventsOf<typeof product> {}
}

declare module '../../database/tenant-tables.ts' {
  interface TenantTables {
    product: TableOf<typeof fields>
  }
}
