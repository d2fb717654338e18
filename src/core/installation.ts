/** The only way to the rows of all tenants in the catalogue. */
import { InstallationData } from '../database/data.ts'
import type { Executor } from '../database/executor.ts'
import type { Context } from './context.ts'

/**
 * Reaches the rows of all tenants, for work that belongs to no tenant or has to find its tenant. Rows of one tenant
 * are reached through `context.catalogue`.
 * @param _why read by people, and by the rule that lists every use
 */
export function installation(from: Context | Executor, _why: string): InstallationData {
  return 'shared' in from ? from.installationData : new InstallationData(from)
}
