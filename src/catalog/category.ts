/** The entity of product categories. */
import { entity } from '../entity/entity.ts'
import type { EventsOf } from '../entity/event-payload.ts'
import { text } from '../entity/field.ts'
import type { TableOf } from '../entity/table-type.ts'

const fields = {
  name: text({ ignoreCase: true, examples: ['Furniture'] }).describe('Unique within the tenant'),
}

export const category = entity('category', {
  description: 'A category of products.',
  fields,
  unique: [['name']],
  sort: [],
  live: true,
  history: true,
  trash: { days: 30 },
  audit: false,
  plainList: true, // `categories` of GraphQL is the whole list; its pages are `categoriesConnection`
  console: {
    icon: 'tags',
    tint: 'iris',
    group: 'Catalogue',
    order: 2,
    list: { columns: ['name', 'createdAt'], sort: 'name' },
    related: { products: { columns: ['name', 'isActive', 'price'], sort: 'name', max: 10, create: true } },
  },
  labels: {
    de: {
      one: 'Kategorie',
      many: 'Kategorien',
      gender: 'f',
      description: 'Eine Kategorie von Produkten.',
      fields: { name: 'Name' },
      texts: { Catalogue: 'Katalog', 'Unique within the tenant': 'Eindeutig innerhalb des Mandanten' },
    },
    fr: {
      one: 'catégorie',
      many: 'catégories',
      gender: 'f',
      description: 'Une catégorie de produits.',
      fields: { name: 'Nom' },
      texts: { Catalogue: 'Catalogue', 'Unique within the tenant': 'Unique dans le locataire' },
    },
  },
  notes: {
    create: 'A name that another category has is refused with 400.',
    replace: 'The products of the category stay in it.',
    delete: 'A category with products cannot be deleted.',
  },
})

declare module '../core/events/event-type.ts' {
  interface EventPayloads extends EventsOf<typeof category> {}
}

declare module '../database/tenant-tables.ts' {
  interface TenantTables {
    category: TableOf<typeof fields>
  }
}
