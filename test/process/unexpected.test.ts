/** An error in a callback that nobody awaits is reported, and the process ends in order with its exit code. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { project, Workplace } from '../support/process/workplace.ts'

describe('An error that nobody awaits', () => {
  it('ends the process in order after it is told: an exception of an application', async () => {
    await using place = new Workplace()
    const program = join(project, 'test/process/falling.ts')
    await assertEndsInOrder(place, {}, [process.execPath, program])
  })

  it('ends the process in order after it is told: a rejection', async () => {
    await using place = new Workplace()
    const preload = join(place.folder, 'fault.mjs')
    writeFileSync(preload, "process.on('SIGHUP', () => { Promise.reject(new Error('unawaited')) })")
    await assertEndsInOrder(place, { NODE_OPTIONS: `--import=${preload}` })
  })
})

/** @param command of a service that fails on SIGHUP */
async function assertEndsInOrder(
  place: Workplace,
  settings: Record<string, string>,
  command?: string[],
): Promise<void> {
  const service = await place.serve(settings, command)
  assert.equal((await service.anonymous.get('/health/ready')).status, 200)
  const { code } = await service.stop('SIGHUP')
  assert.equal(code, 1)
  const [told, ...more] = service.log().filter(({ level }) => level === 60)
  assert.deepEqual([told?.msg, more.length], ['uncaught error', 0])
  assert.equal(Object(told?.['err']).message, 'unawaited')
  assert.ok(service.log().some(({ msg }) => msg === 'stopped'))
}
