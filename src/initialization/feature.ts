import type { Feature } from '../feature.ts'
import { initializationRoutes } from './rest.ts'

export const initializationFeature: Feature = { name: 'initialization', routes: initializationRoutes }
