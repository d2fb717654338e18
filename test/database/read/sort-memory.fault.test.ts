/** Sorting many long rows without an index: SQLite does not hold all rows in memory. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fillWithProducts } from '../../support/product-rows.ts'
import { startService } from '../../support/service.ts'

const rows = 100_000
const atOnce = 4
/** All rows take 200 MB, for each who sorts them. */
const maxGrowthMb = 150

it('Callers who sort all products by their descriptions take little memory', async () => {
  const service = await startService('sqlite')
  const tenant = await service.newTenant()
  await fillWithProducts(service, tenant, rows)
  const query = '{ products(order: [{ description: DESC }, { name: ASC }]) { id } }'
  const before = residentMb()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMb())
  }, 5)
  const answers = await Promise.all(
    Array.from({ length: atOnce }, () => tenant.user.post('/graphql', { query })),
  )
  clearInterval(timer)
  for (const { text } of answers) assert.match(text, /rows match: narrow the filter|took too long/)
  assert.ok(peak - before < maxGrowthMb, `${Math.round(peak - before)} MB more`)
  await service.stop()
})

function residentMb(): number {
  return process.memoryUsage.rss() / 1e6
}
