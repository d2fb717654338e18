import type { Feature } from '../../core/feature/feature.ts'
import { initializationRoutes } from './rest.ts'

export const initializationFeature: Feature = { name: 'initialization', routes: initializationRoutes }
