/** Products and categories, whose tables are made together. */
import type { Feature } from '../core/feature/feature.ts'
import { category } from './category.ts'
import { catalogMigrations } from './migrations.ts'
import { product } from './product/product.ts'
import { productRoutes } from './product/rest.ts'

export const catalogFeatures: readonly Feature[] = [
  { name: 'catalog', migrations: catalogMigrations },
  category,
  { ...product, routes: [...product.routes, ...productRoutes] },
]
