/** What a subscriber costs those who publish, though they do not wait for it. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Finding, median, range } from '../row/finding.ts'
import { post, row, type Stage, subscribe } from './publisher.ts'

const target = 1.3
const rounds = 5
/** Of a machine that has something else to do as well. */
const steadyEveryMs = 10

/** In turn with and without a subscriber. */
export async function measureCost(stage: Stage, posts: number): Promise<Finding[]> {
  return [
    await compare(stage, posts, steadyEveryMs, target),
    // The caller sends the next one at once, so that it takes turns with the deliveries on the same processor.
    await compare(stage, posts, 0, null),
  ]
}

async function compare(
  { send, receivers, service, token }: Stage,
  posts: number,
  everyMs: number,
  most: number | null,
): Promise<Finding> {
  const each = Math.ceil(posts / rounds)
  const time = () => timePosts(service.url, token, each, everyMs)
  await time()
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const without = await time()
    const id = await subscribe(send, receivers.url)
    await receivers.begin()
    const withOne = await time()
    await receivers.received(each, 10_000)
    await send('DELETE', `/api/webhooks/subscriptions/${id}`)
    ratios.push(withOne / without)
  }
  const ratio = median(ratios)
  const [least, highest] = range(ratios)
  const pace = everyMs === 0 ? 'one right after the other' : `${1000 / everyMs}/s`
  return {
    row,
    work: `POST product with a subscriber, against none, ${pace}`,
    figure: `${ratio.toFixed(2)} (${least.toFixed(2)} to ${highest.toFixed(2)})`,
    target: most === null ? null : `≤ ${most.toFixed(1)}`,
    reached: most === null || ratio <= most,
    detail: `median time; ${rounds} rounds of ${each} requests`,
  }
}

/** @returns the median in milliseconds */
async function timePosts(url: string, token: string, posts: number, everyMs: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let count = 0; count < posts; count++) {
    const began = performance.now()
    await post(agent, url, token, '/api/products', '{"name":"Desk","price":1}', 201)
    const ms = performance.now() - began
    times.push(ms)
    if (everyMs > ms) await sleep(everyMs - ms)
  }
  agent.destroy()
  return median(times)
}
