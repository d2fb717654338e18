/** What a run leaves behind, however it ends: nothing. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { eventually, soonMs } from '../support/eventually.ts'

const support = join(import.meta.dirname, '../support/run')

const owner = `
  import { makeRunFolder } from ${JSON.stringify(pathToFileURL(join(support, 'run-folder.ts')))}
  console.log(makeRunFolder(true))
  setInterval(() => undefined, 60_000)
`

for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
  test(`The folder of a run goes with ${signal}`, async () => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', owner])
    const [printed] = await once(run.stdout, 'data')
    const folder = String(printed).trim()
    writeFileSync(join(folder, 'a file'), 'of a test')
    run.kill(signal)
    await eventually('the folder is gone', soonMs, async () => !existsSync(folder))
  })
}

test('A process of the tests ends with the run, in the middle of a test', async () => {
  const worker = spawn(process.execPath, [join(support, 'worker.ts')], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, TEST_TIMEOUT_MS: '120000', TEST_END_WAIT_MS: '120000' },
  })
  await once(worker, 'message')
  worker.send({ file: 'test/run/fixtures/waits-for-ever.ts' })
  worker.disconnect()
  const [code] = await once(worker, 'exit')
  assert.equal(code, 1)
})
