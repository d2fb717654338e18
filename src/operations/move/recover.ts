import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Job } from '../../core/feature/feature.ts'
import { tenantsBeforeSwitch } from '../../tenancy/relocation/sql.ts'
import { endSwitch } from './move.ts'

/** Writes of a tenant are refused for so long at most when the process that moves it ends in the wrong moment. */
const everyMs = 5000

/** Any instance that serves ends the switch that another process has left; the rest of the move is for the operator. */
export const endSwitches: Job = {
  name: 'end switches',
  everyMs,
  run: async (context) => {
    for (const tenant of await tenantsBeforeSwitch(context.catalogue)) await tryToEnd(context, tenant)
  },
}

async function tryToEnd(context: Context, tenant: string): Promise<void> {
  const { log } = context.shared
  try {
    if (await endSwitch(context, tenant)) log.warn({ tenantId: tenant }, 'ended the switch of a move')
  } catch (error) {
    // Whoever moves the tenant is still at it.
    if (error instanceof ServiceError && error.kind === 'conflict') return
    log.warn({ err: error, tenantId: tenant }, 'the switch of a move is not ended')
  }
}
