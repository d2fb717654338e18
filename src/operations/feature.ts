import type { Feature } from '../core/feature/feature.ts'
import { endSwitches } from './move/recover.ts'

/** What the service itself does for operations that other processes have begun. */
export const operationsFeature: Feature = { name: 'operation', jobs: [endSwitches] }
