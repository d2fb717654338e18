import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newMasterKey } from '../support/master-key.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { serveHere } from '../support/process/serve-here.ts'
import { Workplace } from '../support/process/workplace.ts'

const settings = { MASTER_KEY: newMasterKey(), PORT: '0' }

describe('A second process on the same SQLite file', () => {
  it('does not serve from it and says why, runs commands, and serves at once when the first was killed', async () => {
    await using place = new Workplace(settings)
    const first = await place.serve()
    const { authorization } = await createAdmin(first)
    const { code, stdout, stderr } = await place.run(['serve'])
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, /^tenantry: Another process serves from \S+tenantry\.db already\.\n$/)
    assert.equal((await place.run(['tenant', 'create', 'acme', '--name', 'Acme'])).code, 0)
    assert.equal((await first.anonymous.get('/health/ready')).status, 200)
    assert.equal((await first.anonymous.get('/api/users', { authorization })).status, 200)
    assert.equal((await first.kill()).signal, 'SIGKILL')
    for (let count = 0; count < 2; count++) {
      await using second = await serveHere(settings, place.folder)
      assert.equal((await second.anonymous.get('/api/users', { authorization })).status, 200)
    }
  })
})
