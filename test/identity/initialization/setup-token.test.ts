/** In production not whoever comes first creates the first administrator. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { loadConfig } from '../../../src/core/settings/config.ts'
import { setupTokenOf } from '../../../src/identity/initialization/setup-token.ts'
import { createService } from '../../../src/service/service.ts'
import { Client } from '../../support/client.ts'
import { assertError } from '../../support/error.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { person, usualOptions } from '../../support/service.ts'

const path = '/api/init/first-admin'

/** As the page of the first start asks. */
async function assertTold(client: Client, needsSetupToken: boolean): Promise<void> {
  assert.equal((await client.get('/api/init/status')).body.needsSetupToken, needsSetupToken)
}

describe('The first administrator', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-test-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const masterKey = newMasterKey()

  /** @param name of a data folder */
  const withService = async (
    name: string,
    settings: Record<string, string>,
    work: (client: Client, token: string | null) => Promise<void>,
  ): Promise<void> => {
    const dataDir = join(folder, name)
    const base = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', MASTER_KEY: masterKey }
    const config = loadConfig({ ...base, ...settings }, folder)
    const service = await createService(config, usualOptions)
    try {
      const client = new Client(await service.start())
      await work(client, setupTokenOf((await service.operator()).shared, config))
    } finally {
      await service.stop()
    }
  }

  it('needs no token in development', async () => {
    await withService('development', {}, async (client, token) => {
      assert.equal(token, null)
      await assertTold(client, false)
      assert.equal((await client.post(path, person('admin'))).status, 200)
    })
  })

  it('needs the token of the settings, in a header or in the body', async () => {
    const settings = { SETUP_TOKEN: 'a-token-of-the-operator' }
    await withService('set', settings, async (client) => {
      await assertTold(client, true)
      assertError(await client.post(path, person('admin')), 403, /SETUP_TOKEN/)
      for (const wrong of ['a-token-of-the-operato', 'a-token-of-the-operator2', '']) {
        assertError(await client.post(path, person('admin'), { 'x-setup-token': wrong }), 403)
        assertError(await client.post(path, { ...person('admin'), setupToken: wrong }), 403)
      }
      const body = { ...person('admin'), setupToken: settings.SETUP_TOKEN }
      assert.equal((await client.post(path, body)).status, 200)
      await assertTold(client, false)
    })
  })

  it('needs a generated token in production, which stays the same after a restart', async () => {
    let token: string | null = null
    await withService('production', { NODE_ENV: 'production' }, async (client, generated) => {
      token = generated
      await assertTold(client, true)
      assertError(await client.post(path, person('admin')), 403, /printed at its start/)
    })
    assert.match(String(token), /^[A-Za-z0-9_-]{32}$/)
    await withService('production', { NODE_ENV: 'production' }, async (client, again) => {
      assert.equal(again, token)
      const header = { 'x-setup-token': again ?? '' }
      assert.equal((await client.post(path, person('admin'), header)).status, 200)
      assertError(await client.post(path, person('other'), header), 400, /already initialized/)
    })
  })
})
