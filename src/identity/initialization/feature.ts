/** Initialization: how the first administrator of a new service is created. */
import type { Feature } from '../../core/feature/feature.ts'
import { initializationRoutes } from './rest.ts'
import { type SetupSettings, setupTokenPurpose } from './setup-token.ts'

export function initializationFeature(settings: SetupSettings): Feature {
  return { name: 'initialization', routes: initializationRoutes(settings), digests: [setupTokenPurpose] }
}
