/** A feature of an application: its rows have every kind of field, and each field may be null. */
import { type Static, Type } from 'typebox'
import type { TenantColumn } from '../../../src/index.ts'
import {
  type Feature,
  mutation,
  Nullable,
  newId,
  prepare,
  product,
  type ReadModel,
  readModel,
  Uuid,
} from '../../../src/index.ts'

const members = {
  title: Nullable(Type.String()),
  count: Nullable(Type.Integer()),
  price: Nullable(Type.Number()),
  isOpen: Nullable(Type.Boolean()),
  until: Nullable(Type.String({ format: 'date-time' })),
  size: Nullable(Type.String({ enum: ['SMALL', 'LARGE'] })),
  productId: Nullable(Uuid),
}

const Offer = Type.Object({ id: Uuid, ...members }, { $id: 'Offer', description: 'Something for less.' })
const OfferInput = Type.Object(members, { $id: 'OfferInput' })
type OfferInput = Static<typeof OfferInput>

interface OfferTable {
  tenant_id: TenantColumn
  id: string
  title: string | null
  count: number | null
  price: number | null
  is_open: boolean | null
  until: string | null
  size: string | null
  product_id: string | null
}

declare module '../../../src/index.ts' {
  interface TenantTables {
    offer: OfferTable
  }
}

const insert = prepare((tables, p: OfferInput & { id: string }) =>
  tables.insertInto('offer').values({
    id: p.id,
    title: p.title,
    count: p.count,
    price: p.price,
    is_open: p.isOpen,
    until: p.until,
    size: p.size,
    product_id: p.productId,
  }),
)

export const offerEntity: ReadModel = readModel(Offer, {
  table: 'offer',
  relations: { product: { kind: 'one', entity: product.model, on: { id: 'product_id' } } },
})

export const offerFeature: Feature = {
  name: 'offer',
  migrations: [
    {
      name: 'offer-0001',
      database: 'tenant',
      statements: (t) => [
        `CREATE TABLE offer (
          tenant_id ${t.key} NOT NULL, id ${t.id} NOT NULL, title ${t.text}, count ${t.integer}, price ${t.price},
          is_open ${t.boolean}, until ${t.timestamp}, size ${t.text}, product_id ${t.id},
          PRIMARY KEY (tenant_id, id)
        ) ${t.clustered}`,
      ],
    },
  ],
  graphql: {
    queries: {
      offers: { kind: 'list', entity: offerEntity, description: 'All that match.' },
      offer: { kind: 'one', entity: offerEntity, description: 'The one of this id.' },
      offerPages: { kind: 'connection', entity: offerEntity, description: 'All that match, page by page.' },
    },
    mutations: {
      createOffer: mutation({
        entity: offerEntity,
        description: 'Offers something.',
        args: { input: OfferInput },
        run: async ({ data }, { input }) => {
          const id = newId()
          await data.change(insert, { ...input, id })
          return id
        },
      }),
    },
  },
}
