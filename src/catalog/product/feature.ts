import type { Feature } from '../../core/feature/feature.ts'
import { creationOf } from '../../database/table.ts'
import { category } from '../category.ts'
import { product } from './product.ts'
import { productRoutes } from './rest.ts'

export const productFeature: Feature = {
  ...product,
  migrations: [
    {
      name: 'catalog-0001',
      database: 'tenant',
      statements: (types, dialect) =>
        [...category.tables, ...product.tables].flatMap((table) => creationOf(table, types, dialect)),
    },
  ],
  routes: [...product.routes, ...productRoutes],
}
