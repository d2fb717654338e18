/** Gives access to the rows of all tenants in the catalogue. There is no other way to them. */
import { InstallationData } from '../database/data.ts'
import type { Executor } from '../database/executor.ts'
import type { Context } from './context.ts'

/**
 * Reaches the rows of all tenants, for work that belongs to no tenant or has to find its tenant. Rows of one tenant
 * are reached through `context.catalogue`.
 * @param _why the reason, for people and for the rule test that lists every use
 */
export function installation(from: Context | Executor, _why: string): InstallationData {
  return 'shared' in from ? from.installationData : new InstallationData(from)
}
