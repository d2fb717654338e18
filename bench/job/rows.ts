/** Jobs: how many are stored, run and recorded each second, all of it on the disk. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expectJson } from '../client.ts'
import { startServer } from '../process.ts'
import type { Finding } from '../row/finding.ts'
import { initialize, makeFolder, removeFolder } from '../service.ts'

export const row = 'jobs'

const minPerSecond = 1000
/** One transaction enqueues so many. */
const perRequest = 20
const callers = 16
const pollMs = 20

/** @param count of jobs that do nothing */
export async function measureJobs(count: number): Promise<Finding> {
  const folder = makeFolder()
  const command = ['test/jobs/work-app.ts', 'serve']
  const server = await startServer({ command, folder, readyPath: '/health/ready' })
  const { send } = await initialize(server.url)
  let left = Math.ceil(count / perRequest)
  const began = performance.now()
  const enqueue = async (): Promise<void> => {
    while (left-- > 0) {
      const items = Array.from({ length: perRequest }, (_, number) => ({ number, ms: -1 }))
      await expectJson(send('POST', '/api/work', { items }), 201)
    }
  }
  await Promise.all(Array.from({ length: callers }, enqueue))
  const enqueuedMs = performance.now() - began
  for (const status of ['PENDING', 'RUNNING']) {
    const find = () => expectJson<object[]>(send('GET', `/api/jobs?status=${status}&limit=1`), 200)
    while ((await find()).length > 0) await sleep(pollMs)
  }
  const ms = performance.now() - began
  await server.stop()
  removeFolder(folder)
  const perSecond = (count / ms) * 1000
  return {
    row,
    work: `${count} jobs of one tenant, from the first request to the last recorded outcome`,
    figure: `${perSecond.toFixed(0)} jobs/s`,
    target: `≥ ${minPerSecond} jobs/s`,
    reached: perSecond >= minPerSecond,
    detail: `on SQLite; all were stored after ${(enqueuedMs / 1000).toFixed(1)} s`,
  }
}
