import { setTimeout as sleep } from 'node:timers/promises'
import { type Finding, median } from '../row/finding.ts'
import { publish, publishSteadily, row, type Stage } from './publisher.ts'
import { percentile } from './receivers.ts'

const perSecond = 300

/** @param idleEvents published one after the other, with a pause @param loadSeconds of a steady load */
export async function measureLatencies(
  { send, receivers, service, token }: Stage,
  { idleEvents, loadSeconds }: { idleEvents: number; loadSeconds: number },
): Promise<Finding[]> {
  await receivers.begin()
  for (let count = 0; count < idleEvents; count++) {
    await publish(send)
    await sleep(20)
  }
  const idle = await receivers.received(idleEvents, 10_000)
  await receivers.begin()
  const events = await publishSteadily(service.url, token, loadSeconds, perSecond)
  const busy = await receivers.received(events, 30_000)
  return [
    latency('event to receiver, idle', 50, idle.latenciesMs),
    latency(`event to receiver at ${perSecond} events/s`, 150, busy.latenciesMs),
  ]
}

function latency(work: string, targetMs: number, values: number[]): Finding {
  const p95 = percentile(values, 0.95)
  return {
    row,
    work,
    figure: `p95 ${p95.toFixed(0)} ms`,
    target: `≤ ${targetMs} ms`,
    reached: p95 <= targetMs,
    detail: `${values.length} events; median ${median(values).toFixed(0)} ms, most ${Math.max(...values)} ms`,
  }
}
