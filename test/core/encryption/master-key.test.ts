import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import { createService } from '../../../src/service/service.ts'
import { type EmptyDatabase, emptyDatabase } from '../../support/database/empty-database.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { tenantry } from '../../support/process/command-line.ts'

onEitherDatabase('A start with another master key', (database) => {
  let empty: EmptyDatabase
  const other = randomBytes(32)
  before(async () => {
    empty = await emptyDatabase(database)
    await (await createService(empty.config, { log: empty.log })).stop()
  })
  after(() => empty.drop())

  it('fails with an error that names the setting', async () => {
    await assert.rejects(
      createService({ ...empty.config, masterKey: other }, { log: empty.log }),
      /master key/i,
    )
  })

  it('ends the process at once, with one clear line and without a stack', async () => {
    const settings = { MASTER_KEY: other.toString('base64') }
    const { code, stdout, stderr } = await tenantry(['serve'], empty, settings)
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^tenantry: .*master key.*\n$/i)
    assert.doesNotMatch(stderr, /\n\s+at |node:internal/)
  })

  it('changes nothing: the right key still opens the service', async () => {
    const service = await createService(empty.config, { log: empty.log })
    assert.equal((await service.app.inject('/.well-known/jwks.json')).json().keys.length, 1)
    await service.stop()
  })
})
