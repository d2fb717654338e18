import { setTimeout as sleep } from 'node:timers/promises'
import { expectJson, mapAtOnce, type Send } from '../client.ts'
import type { Finding } from '../row/finding.ts'
import { person, signIn } from '../service.ts'
import { publish, row, type Stage, subscribe } from './publisher.ts'
import { percentile, type Receivers } from './receivers.ts'

const samples = 300

/** Ten thousand deliveries to receivers that hang, and how soon another subscriber gets its own. */
export async function measureFairness({ service, receivers, send }: Stage, hung: number): Promise<Finding> {
  const idle = await p99(send, receivers)
  const culprit = await newTenant(service.url, send)
  for (let count = 0; count < 10; count++) await subscribe(culprit, `${receivers.url}/hang`, ['slow.thing'])
  await mapAtOnce(Array.from({ length: hung / 10 }), 32, () => publish(culprit, 'slow.thing'))
  await sleep(1000)
  const busy = await p99(send, receivers)
  return {
    row,
    work: `with ${hung} deliveries queued to hung receivers`,
    figure: `p99 ${busy.toFixed(0)} ms`,
    target: `≤ ${(2 * Math.max(idle, 1)).toFixed(0)} ms`,
    reached: busy <= 2 * Math.max(idle, 1),
    detail: `another tenant’s deliveries; ${idle.toFixed(0)} ms while nothing waits`,
  }
}

async function p99(send: Send, receivers: Receivers): Promise<number> {
  await receivers.begin()
  for (let count = 0; count < samples; count++) {
    await publish(send)
    await sleep(10)
  }
  return percentile((await receivers.received(samples, 20_000)).latenciesMs, 0.99)
}

async function newTenant(url: string, host: Send): Promise<Send> {
  const id = 'culprit'
  await expectJson(host('POST', '/api/tenants', { id, name: id, admin: person('boss') }), 201)
  return (await signIn(url, 'boss', { 'x-tenant-id': id })).send
}
