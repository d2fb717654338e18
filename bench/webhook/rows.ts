/** Webhooks: how many are delivered, how soon, what they cost the publisher, and what hung receivers cost others. */
import type { Finding } from '../row/finding.ts'
import { initialize, removeFolder, startService } from '../service.ts'
import { measureCost } from './cost.ts'
import { measureFairness } from './fairness.ts'
import { measureLatencies } from './latency.ts'
import { subscribe } from './publisher.ts'
import { Receivers } from './receivers.ts'
import { measureThroughput } from './throughput.ts'

export interface WebhookEffort {
  deliveries: number
  idleEvents: number
  loadSeconds: number
  posts: number
  /** Deliveries that wait for receivers that hang. */
  hung: number
}

export async function measureWebhooks(effort: WebhookEffort): Promise<Finding[]> {
  const receivers = await Receivers.start()
  const throughput = await measureThroughput(receivers, effort.deliveries)
  const service = await startService()
  const stage = { service, receivers, ...(await initialize(service.url)) }
  const cost = await measureCost(stage, effort.posts)
  await subscribe(stage.send, receivers.url)
  const soon = await measureLatencies(stage, effort)
  const fair = await measureFairness(stage, effort.hung)
  await service.stop()
  removeFolder(service.folder)
  receivers.stop()
  return [throughput, ...soon, ...cost, fair]
}
