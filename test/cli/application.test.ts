/** The command line with the features of an application. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { project, Workplace } from '../support/process/workplace.ts'

const withSuppliers = [process.execPath, join(project, 'examples/start.ts')]

describe('The command line of an application', () => {
  it('knows its features in each command', async () => {
    await using place = new Workplace()
    const run = (...words: string[]) => place.runProcess(words, { command: withSuppliers })
    assert.match((await run('migrate', '--dry-run')).stdout, /pending: [^\n]*\bsupplier-0001\b/)
    assert.equal((await run('tenant', 'create', 'acme', '--name', 'Acme')).code, 0)
    const exported = await run('tenant', 'export', 'acme', '--to', 'acme.db')
    assert.deepEqual([exported.code, exported.stderr], [0, ''])
    const unknown = await place.run(['tenant', 'export', 'acme', '--to', 'other.db'])
    assert.match(
      unknown.stderr,
      /^tenantry: A database has tables of unknown features \(supplier-0001\)\. Run the command line of the application that has these features/,
    )
    assert.match((await run('nonsense')).stderr, /^tenantry: There is no command "nonsense"\. See/)
  })

  it('logs the error that ends the process', async () => {
    await using place = new Workplace()
    const service = await place.serve({}, [process.execPath, join(project, 'test/cli/falling.ts')])
    const { code } = await service.stop('SIGHUP')
    assert.equal(code, 1)
    const [line] = service.log().filter(({ level }) => level === 60)
    assert.equal(line?.msg, 'uncaught error')
    assert.match(JSON.stringify(line), /A fault of the application/)
  })
})
