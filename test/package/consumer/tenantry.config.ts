import { defineConfig } from 'tenantry'
import { noteFeature } from './note.ts'

export default defineConfig({ features: [noteFeature] })
