/** Products and categories, whose tables are made together. */
import type { Feature } from '../core/feature/feature.ts'
import { readMigrations } from '../database/schema/read-migrations.ts'
import { category } from './category.ts'
import { product } from './product/product.ts'
import { productRoutes } from './product/rest.ts'

export const catalog: readonly Feature[] = [
  category,
  { ...product, routes: [...product.routes, ...productRoutes] },
]

export const catalogMigrations = readMigrations(new URL('migrations', import.meta.url))
