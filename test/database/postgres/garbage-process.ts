/** Reads rows of 15 kB, and reports how often all garbage was collected meanwhile. */
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { openPostgres } from '../../../src/database/postgres/postgres-database.ts'

const reads = 12_000
const [url = ''] = process.argv.slice(2)
let collections = 0
const observer = new PerformanceObserver((list) => {
  const entries = list.getEntries() as unknown as { detail: { kind: number } }[] // those of collections
  collections += entries.filter(({ detail }) => detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR).length
})
const database = openPostgres(url, { maxConnections: 2, connectTimeoutMs: 5000, statementTimeoutMs: 30_000 })
const read = () => database.executor.run("SELECT repeat('abcdefghij', 1500) AS text", [], true)
for (let each = 0; each < reads / 10; each++) await read()
observer.observe({ entryTypes: ['gc'] })
for (let each = 0; each < reads; each++) await read()
await new Promise((resolve) => setTimeout(resolve, 20)) // the observer is told later
observer.disconnect()
await database.close()
process.send?.(collections)
