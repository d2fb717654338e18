import { get } from '../../api.ts'
import type { Permission } from './types.ts'

/** Loads all permissions, with descriptions. */
export function permissionsOf(signal: AbortSignal): Promise<Permission[]> {
  return get('/api/permissions', { signal })
}
