import type { Context } from '../../core/context.ts'
import { installation } from '../../core/installation.ts'
import type { InstallationData } from '../../database/data.ts'

/** The API keys of all tenants, for work that belongs to no single tenant. */
export function keysOfAll(context: Context): InstallationData {
  return installation(context, 'uses of keys are written for all tenants, and keys of an erased tenant end')
}
