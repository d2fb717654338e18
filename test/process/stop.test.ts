/** How signals stop the process; what a stop does to requests is in `stopping-service.test.ts`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openStore } from '../support/database/store.ts'
import { halves, open, refused } from '../support/http/connection.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { npmEnvironment } from '../support/process/package.ts'
import { project, Workplace } from '../support/process/workplace.ts'

const product = JSON.stringify({ name: 'Desk', price: 19.99 })

/** npm sends a second SIGINT after that of the terminal, which counts as the same. */
for (const signals of [['SIGTERM'], ['SIGINT', 'SIGINT']] as const) {
  describe(signals.join(' and '), () => {
    it('lets a request whose body is still on its way finish, and refuses new connections', async () => {
      await using store = await openStore('sqlite')
      await using place = new Workplace(store.settings)
      const service = await place.serve()
      const { authorization } = await createAdmin(service)
      const [first, rest] = halves('/api/products', { authorization }, product)
      const connection = await open(service.url, first)
      await delay(100)
      const [signal, ...more] = signals
      const ended = service.stop(signal)
      for (const again of more) {
        await delay(30)
        service.process.kill(again)
      }
      await refused(service.url)
      connection.send(rest)
      const heard = await connection.heard
      assert.match(heard, /^HTTP\/1\.1 201 Created\r\n/)
      assert.match(heard, /\r\nconnection: close\r\n/i)
      const { code, stderr } = await ended
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.deepEqual(await store.productNames(), ['Desk'])
    })
  })
}

describe('A service that stops', () => {
  it('stops with the npm that has started it', async () => {
    await using place = new Workplace()
    const settings = { ...npmEnvironment(), PORT: '0', DATA_DIR: place.folder }
    const npm = place.start(['start'], { command: ['npm'], folder: project, settings })
    const [, url = ''] = await npm.waitFor(/^Tenantry listens on (\S+)$/m)
    const { stdout } = await npm.stop()
    await refused(url)
    assert.match(stdout, /"msg":"stopped"/)
  })

  it('is ended by a second signal', async () => {
    await using place = new Workplace()
    const service = await place.serve()
    const { authorization } = await createAdmin(service)
    const [first] = halves('/api/products', { authorization }, product)
    const connection = await open(service.url, first)
    await delay(100)
    service.process.kill('SIGTERM')
    await refused(service.url)
    await delay(400)
    const { code, signal, stdout } = await service.stop('SIGTERM')
    assert.deepEqual({ code, signal }, { code: 1, signal: null })
    assert.match(stdout, /"reason":"a second signal, SIGTERM","msg":"stopped with requests in flight"/)
    assert.equal(await connection.heard, '')
  })
})
