import { setTimeout as sleep } from 'node:timers/promises'
import { initialize, removeFolder, startService } from '../service.ts'
import { residentMb } from '../usage.ts'
import type { Finding } from './finding.ts'

const targetMb = 120
const requests = 20

export async function measureMemoryAtRest(idleMs: number): Promise<Finding> {
  const service = await startService()
  const { send } = await initialize(service.url)
  for (let count = 0; count < requests; count++) {
    await send('POST', '/api/products', { name: `Desk ${count}`, price: 19.99 })
    await send('GET', '/api/products?limit=50')
  }
  const busyMb = residentMb(service.pid)
  await sleep(idleMs)
  const restMb = residentMb(service.pid)
  await service.stop()
  removeFolder(service.folder)
  return {
    row: 'memory',
    work: 'resident memory at rest',
    figure: `${restMb.toFixed(0)} MB`,
    target: `≤ ${targetMb} MB`,
    reached: restMb <= targetMb,
    detail: `after ${requests * 2} requests and ${idleMs / 1000} idle seconds; ${busyMb.toFixed(0)} MB before them`,
  }
}
