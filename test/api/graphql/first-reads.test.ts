/** Many simultaneous reads of rows whose size and speed are not known yet. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { type Recorder, recorderOf } from '../../support/graphql/statement-recorder.ts'
import { fillWithProducts } from '../../support/product-rows.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'

const atOnce = 6

onEachDatabase('A list that nobody has read before', (database) => {
  let service: TestService
  let tenant: TestTenant
  let recorder: Recorder
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    await fillWithProducts(service, tenant, 250)
    recorder = await recorderOf(service, tenant)
  })
  after(() => service.stop())

  /** @returns how many of them read the list in one statement, and how many by a scan */
  async function askTogether(query: string) {
    const runs = await Promise.all(Array.from({ length: atOnce }, () => recorder.run(query)))
    for (const { reply } of runs) assert.equal(reply.errors, undefined, JSON.stringify(reply.errors))
    const statements = runs.flatMap(({ sent }) => sent.map(({ sql }) => sql))
    const direct = statements.filter((sql) => /count\(\*\)/.test(sql)).length
    return { direct, scans: statements.length - direct }
  }

  it('is found out to be long by one of those who ask', async () => {
    assert.deepEqual(await askTogether('{ products { description } }'), { direct: 1, scans: atOnce })
  })

  // A busy machine may make the first read of one of them slow, after which the others scan.
  it('is read at once by all when it is short', async () => {
    const outcomes: { direct: number; scans: number }[] = []
    for (const fields of ['id', 'name', 'id name', 'name id', 'id createdAt', 'name createdAt'])
      outcomes.push(await askTogether(`{ categories { ${fields} } }`))
    assert.ok(
      outcomes.some(({ direct, scans }) => direct === atOnce && scans === 0),
      JSON.stringify(outcomes),
    )
  })

  // A pause counted as the time of the reads that were under way: all of them ran as scans for a minute.
  it('goes on to be read at once after pauses of the process', async () => {
    const query = '{ categories(where: { name: { contains: "x" } }) { id name } }'
    await askTogether(query)
    const results: { direct: number; scans: number }[] = []
    for (let round = 0; round < 20; round++) {
      const reads = askTogether(query)
      // At another moment of the reads in each round.
      for (let turn = 0; turn < 2 * round; turn++) await null
      pauseMs(20)
      results.push(await reads)
    }
    const scans = results.reduce((sum, each) => sum + each.scans, 0)
    assert.ok(scans <= 2 * atOnce, `${scans} scans of ${results.length * atOnce} reads`)
  })
})

/** Blocks the thread, as a garbage collection or a busy machine does. */
function pauseMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
