/** A feature whose rows contain any number of others: categories as shelves of products. */
import { Type } from 'typebox'
import { type Feature, Nullable, type ReadModel, readModel, Uuid } from '../../../src/index.ts'

const Item = Type.Object(
  { id: Uuid, description: Nullable(Type.String({ maxLength: 2000 })) },
  { $id: 'ShelfProduct' },
)
const Shelf = Type.Object({ id: Uuid, name: Type.String({ maxLength: 200 }) }, { $id: 'Shelf' })

const productsOfShelf: ReadModel = readModel(Item, { table: 'product' })
const shelfEntity: ReadModel = readModel(Shelf, {
  table: 'category',
  relations: { products: { kind: 'many', entity: productsOfShelf, on: { category_id: 'id' } } },
})
/** A cycle of relations. */
Object.assign(productsOfShelf, {
  relations: new Map([
    [
      'shelf',
      { name: 'shelf', kind: 'one', entity: shelfEntity, on: { id: 'category_id' }, description: null },
    ],
  ]),
})

export const shelfFeature: Feature = {
  name: 'shelf',
  graphql: {
    queries: {
      shelf: { kind: 'one', entity: shelfEntity, description: 'The one of this id.' },
      shelves: { kind: 'list', entity: shelfEntity, description: 'All that match.' },
      shelfPages: { kind: 'connection', entity: shelfEntity, description: 'All that match, page by page.' },
    },
  },
}
