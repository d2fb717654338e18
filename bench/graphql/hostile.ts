/** How long each hostile request keeps the one thread of the service busy: `node bench/graphql/hostile.ts`. */

import { hostileRequests } from '../../test/graphql/hostile/documents.ts'
import { startService } from '../../test/harness/service.ts'

const times = 7

const service = await startService('sqlite')
const tenant = await service.newTenant()
const { app } = service.service
const headers = { ...tenant.user.headers, 'content-type': 'application/json' }
for (const [title, { code, ...request }] of Object.entries(hostileRequests)) {
  const payload = JSON.stringify(request)
  const took: number[] = []
  for (let time = 0; time < times; time++) {
    const begin = process.threadCpuUsage()
    await app.inject({ method: 'POST', url: '/graphql', headers, payload })
    const { user, system } = process.threadCpuUsage(begin)
    took.push((user + system) / 1000)
  }
  const [first = 0] = took
  const median = took.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0
  const figures = [first, median].map((ms) => `${ms.toFixed(1)} ms`.padStart(10)).join('')
  console.log(`${figures}  ${title}${code === null ? ' (answered)' : ''}`)
}
await service.stop()
