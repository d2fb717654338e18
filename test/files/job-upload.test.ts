import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, it } from 'node:test'
import { jobContext } from '../../src/core/create-context.ts'
import { currentTenant } from '../../src/core/tenant/directory.ts'
import { uploadFile } from '../../src/files/file.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { pdf } from '../support/files/contents.ts'
import { sharedService, type TestService } from '../support/service.ts'

onEitherDatabase('A file that a job of a feature stores', (name) => {
  let service: TestService
  before(async () => {
    service = await sharedService(name)
  })
  after(() => service.stop())

  it('has no uploader', async () => {
    const operator = await service.service.operator()
    const { shared } = operator
    const tenant = await currentTenant(operator, (await service.newTenant()).id)
    if (tenant === null) throw new Error('There is no such tenant.')
    const work = { job: 'scan', signal: null, hops: 0, origin: null }
    const context = jobContext(shared, { tenant, database: shared.catalogueDatabase, ...work })
    const content = Readable.from([pdf()])
    const file = { name: 'scan.pdf', type: 'application/pdf', content, announced: null }
    const { id } = await uploadFile(context, file)
    const sql = `SELECT uploaded_by FROM file WHERE id = '${id}'`
    const rows = await inspect(service.config.databaseUrl, sql)
    assert.deepEqual(
      rows.map((row) => row['uploaded_by']),
      [null],
    )
  })
})
