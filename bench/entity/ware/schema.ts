import { type Static, Type } from 'typebox'
import { Nullable, Price, Text, Timestamp, Uuid } from '../../../src/index.ts'

const name = Text(1, 200, { description: 'Display name', examples: ['Walnut desk'] })
const description = Nullable(
  Text(0, 2000, { description: 'Display text', examples: ['A desk of solid walnut.'] }),
)
const categoryId = Nullable({ ...Uuid, description: 'The category of the ware', examples: [null] })

export const Ware = Type.Object(
  {
    id: Uuid,
    name,
    description,
    price: Price,
    isActive: Type.Boolean(),
    categoryId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Ware', description: 'A ware of a tenant.' },
)

export const WareInput = Type.Object(
  {
    name,
    description: Type.Optional(description),
    price: Price,
    isActive: Type.Optional(Type.Boolean({ default: true })),
    categoryId: Type.Optional(categoryId),
  },
  { $id: 'WareInput', description: 'A new ware.' },
)

export type Ware = Static<typeof Ware>
export type WareInput = Static<typeof WareInput>

/** With members that are stored but not shown. */
export interface StoredWare extends Ware {
  version: number
}
