/** The built-in entities, for those who change Tenantry itself. */
import { existsSync } from 'node:fs'
import { category } from '../catalog/category.ts'
import { product } from '../catalog/product/product.ts'
import { type Migrations, readMigrations } from '../database/schema/read-migrations.ts'
import { packageFolder } from '../database/version.ts'
import type { ServiceOptions } from './service-options.ts'

const folder = new URL('src/catalog/', packageFolder)

/** @returns `null` in an installed package, which has no sources to change */
export function builtInDefinitions(): (ServiceOptions & { migrations: Migrations }) | null {
  if (!existsSync(folder)) return null
  return { features: [category, product], migrations: readMigrations(new URL('migrations', folder)) }
}
