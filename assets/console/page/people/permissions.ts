import { get } from '../../api.ts'
import type { Permission } from './types.ts'

/** All permissions that there are, with what they allow. */
export function permissionsOf(signal: AbortSignal): Promise<Permission[]> {
  return get('/api/permissions', { signal })
}
