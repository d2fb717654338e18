import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAdmin } from '../support/process/administrator.ts'
import { Workplace } from '../support/process/workplace.ts'

describe('A second process on the same SQLite file', () => {
  it('does not serve from it, says why, and leaves the first alone', async () => {
    await using place = new Workplace()
    const first = await place.serve()
    const { code, stdout, stderr } = await place.run(['serve'], { settings: { PORT: '0' } })
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, /^tenantry: Another process serves from \S+tenantry\.db already\.\n$/)
    await createAdmin(first)
  })

  it('runs commands beside the one that serves', async () => {
    await using place = new Workplace()
    const first = await place.serve()
    assert.equal((await place.run(['tenant', 'create', 'acme', '--name', 'Acme'])).code, 0)
    assert.equal((await first.anonymous.get('/health/ready')).status, 200)
  })

  it('serves at once when the first was killed', async () => {
    await using place = new Workplace()
    const first = await place.serve()
    const { authorization } = await createAdmin(first)
    assert.equal((await first.kill()).signal, 'SIGKILL')
    const second = await place.serve()
    assert.equal((await second.anonymous.get('/api/users', { authorization })).status, 200)
    assert.equal((await second.stop()).code, 0)
    assert.equal((await (await place.serve()).stop()).code, 0)
  })
})
