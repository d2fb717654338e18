/** Pauses deliveries and jobs of the tenant during the switch: outcomes written to the old database would be lost. */
import { setTimeout as delay } from 'node:timers/promises'
import { registry, tenantChange } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { TenantData } from '../../database/data.ts'
import { isRunning } from '../../jobs/queue/job-queue.ts'
import { updateTenantRow } from '../../tenancy/sql.ts'
import { isBeingSent } from '../../webhooks/outgoing/queue/lease/leases.ts'
import type { Plan } from './plan.ts'

/** The pause ends by itself if this process dies. */
const pauseMs = 60_000
const pollMs = 100

/** @param until ISO 8601, or `null` to resume deliveries */
export async function pauseDeliveries({ context, key }: Plan, until: string | null): Promise<void> {
  await inCatalogue(context, async (inside) => {
    await updateTenantRow(registry(inside), key, { paused_until: until })
    await inside.transaction?.announce(tenantChange(key))
  })
}

/** Whether a delivery is being sent, or a job is running. */
export async function isAtWork(data: TenantData, now: string): Promise<boolean> {
  return (await isBeingSent(data, now)) || (await isRunning(data, now))
}

/** Waits for attempts in progress. An attempt that is not recorded in time is repeated when its lease ends. */
export async function drainDeliveries(plan: Plan): Promise<void> {
  const { shared } = plan.context
  const data = new TenantData(plan.tenant.id, plan.source.database.executor)
  const pause = () => pauseDeliveries(plan, new Date(shared.clock().getTime() + pauseMs).toISOString())
  await pause()
  await delay(shared.changePropagationMs)
  let pausedAtMs = performance.now()
  while (await isAtWork(data, shared.clock().toISOString())) {
    await delay(pollMs)
    if (performance.now() - pausedAtMs < pauseMs / 2) continue
    await pause()
    pausedAtMs = performance.now()
  }
  await pause()
}
