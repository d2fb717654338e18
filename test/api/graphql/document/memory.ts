/**
 * Runs many different documents, and prints by how many megabytes they made the process grow for good:
 * `node --expose-gc test/api/graphql/document/memory.ts 20000`.
 */
import { recorderOf } from '../../../support/graphql/statement-recorder.ts'
import { startService } from '../../../support/service.ts'

/**
 * Of so many documents one is large, one has very many conditions, and ten are statements that there were not yet.
 * Only these are run: the others would leave nothing more.
 */
const variety = 100

const count = Number(process.argv[2])
const service = await startService('sqlite')
const tenant = await service.newTenant()
const { prepare, statementsOf } = await recorderOf(service, tenant)

for (let index = -100; index < 0; index++) await runDocument(index)
const before = memory()
for (let index = 0; index < count; index++) await runDocument(index)
process.stdout.write(`${((memory() - before) / 2 ** 20).toFixed(1)}\n`)
await service.stop()

async function runDocument(index: number): Promise<void> {
  const kind = Math.abs(index) % variety
  const fields = 'name price '.repeat(kind === 0 ? 450 : 1)
  const conditions = Array.from({ length: kind === 1 ? 900 : 1 }, () => ({ price: { gt: index } }))
  const alias = `a${Math.abs(index)}${index < 0 ? 'n' : ''}`
  const id = kind < 10 ? `${alias}: id` : 'id'
  const document = `query ($w: ProductFilterInput) { ${alias}: products(where: $w) { ${id} ${fields} } }`
  const variables = { w: { and: conditions } }
  if (kind < 10) await statementsOf(document, variables)
  else (await prepare(document)).roots(variables)
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
