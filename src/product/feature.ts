import type { Feature } from '../feature.ts'
import { productMigrations } from './migration.ts'
import { productRoutes } from './rest.ts'

export const productFeature: Feature = {
  name: 'product',
  migrations: productMigrations,
  routes: productRoutes,
}
