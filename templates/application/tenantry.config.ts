import { defineConfig } from 'tenantry'
import { note } from './note.ts'

export default defineConfig({ features: [note] })
