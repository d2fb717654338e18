/** The only way to the rows of all tenants in the catalogue. */
import { InstallationData } from '../database/data.ts'
import type { Executor } from '../database/executor.ts'
import type { Context } from './context.ts'

/**
 * For work that belongs to no tenant, or that finds out which. Rows of one tenant are reached through `context.catalogue`.
 * @param _why read by people, and by the rule that lists every use
 */
export function installation(from: Context | Executor, _why: string): InstallationData {
  return 'shared' in from ? from.installationData : new InstallationData(from)
}
