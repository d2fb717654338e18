import { defineConfig } from '../src/index.ts'
import { supplierFeature } from './supplier/feature.ts'

export default defineConfig({ features: [supplierFeature] })
