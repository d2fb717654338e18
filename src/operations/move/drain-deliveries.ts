/** Nothing is sent for the tenant while it is moved: an attempt that was made would be recorded where it is not seen. */
import { setTimeout as delay } from 'node:timers/promises'
import { tenantChange } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { TenantData } from '../../database/data.ts'
import { updateTenantRow } from '../../tenancy/sql.ts'
import { isBeingSent } from '../../webhooks/outgoing/queue/lease/leases.ts'
import type { Plan } from './plan.ts'

/** It ends by itself, should this process end before. */
const pauseMs = 60_000
/** Within so long every instance has heard of a change. */
export const heardWithinMs = 1500
const lookEveryMs = 100

/** @param until ISO 8601, or `null` to go on sending */
export async function pauseDeliveries({ context, key }: Plan, until: string | null): Promise<void> {
  await inCatalogue(context, async (inside) => {
    await updateTenantRow(inside.catalogue, key, { paused_until: until })
    await inside.transaction?.announce(tenantChange(key))
  })
}

/** Waits for what is being sent; what nobody records in time is sent again by its lease. */
export async function drainDeliveries(plan: Plan): Promise<void> {
  const { shared } = plan.context
  const data = new TenantData(plan.tenant.id, plan.source.database.executor)
  const pause = () => pauseDeliveries(plan, new Date(shared.clock().getTime() + pauseMs).toISOString())
  await pause()
  await delay(heardWithinMs)
  let pausedAtMs = performance.now()
  while (await isBeingSent(data, shared.clock().toISOString())) {
    await delay(lookEveryMs)
    if (performance.now() - pausedAtMs < pauseMs / 2) continue
    await pause()
    pausedAtMs = performance.now()
  }
  await pause()
}
