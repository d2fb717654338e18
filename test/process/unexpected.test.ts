/** An error in a callback that nobody awaits is reported, and the process ends in order with its exit code. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Workplace } from '../support/process/workplace.ts'

const faults = {
  'an exception': "setImmediate(() => { throw new Error('unawaited') })",
  'a rejection': "Promise.reject(new Error('unawaited'))",
}

describe('An error that nobody awaits', () => {
  for (const [name, statement] of Object.entries(faults)) {
    it(`ends the process in order after it is told: ${name}`, async () => {
      await using place = new Workplace()
      const preload = join(place.folder, 'fault.mjs')
      writeFileSync(preload, `process.on('SIGHUP', () => { ${statement} })`)
      const service = await place.serve({ NODE_OPTIONS: `--import=${preload}` })
      assert.equal((await service.anonymous.get('/health/ready')).status, 200)
      const { code } = await service.stop('SIGHUP')
      assert.equal(code, 1)
      const told = service.log().find(({ msg }) => msg === 'uncaught error')
      assert.equal(Object(told?.['err']).message, 'unawaited')
      assert.ok(service.log().some(({ msg }) => msg === 'stopped'))
    })
  }
})
