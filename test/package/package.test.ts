/** The package as it is published, laid out without npm. What npm does with it is in `installed.fault.test.ts`. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createAdmin } from '../support/process/administrator.ts'
import { compilerEnvironment, compilerFlags } from '../support/process/compiler-command.ts'
import { copyInvoiceApplication } from '../support/process/invoice-application.ts'
import { layOutPackage, linkDependencies } from '../support/process/package-layout.ts'
import { executable, project, Workplace } from '../support/process/workplace.ts'
import { triesAll } from '../support/run/extent.ts'
import { password, person } from '../support/service.ts'
import { expectedFiles } from './expected-files.ts'

const compiler = join(project, 'node_modules/typescript/bin/tsc')

describe('The package', { concurrency: 2 }, () => {
  const place = new Workplace({ PORT: '0' })
  const folder = join(place.folder, 'consumer')
  const [invoices, notes] = [join(folder, 'invoices'), join(folder, 'my-app')]
  const bin = [process.execPath, join(folder, 'node_modules/tenantry/bin/tenantry.js')]
  let files: string[] = []
  before(async () => {
    cpSync(join(project, 'test/package/consumer'), folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    linkDependencies(folder, ['@types/node'])
    files = await layOutPackage(place.folder, join(folder, 'node_modules/tenantry'))
    copyInvoiceApplication(invoices, 'tenantry')
    assert.equal((await place.run(['init', notes])).code, 0)
  })
  after(() => place[Symbol.asyncDispose]())

  it('holds what it needs to run and to be understood, and nothing else', () => {
    assert.deepEqual(files, expectedFiles(files))
  })

  it('runs nothing of its own when it is installed', () => {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'node_modules/tenantry/package.json'), 'utf8'))
    for (const name of [
      'preinstall',
      'install',
      'postinstall',
      'prepublish',
      'preprepare',
      'prepare',
      'postprepare',
    ])
      assert.equal(scripts[name], undefined, name)
  })

  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    const { code, stdout } = await place.runProcess(['--version'], { command: bin })
    assert.deepEqual({ code, stdout }, { code: 0, stdout: `${version}\n` })
  })

  it('has no definitions of its own to compare', async () => {
    const { code, stderr } = await place.runProcess(['migrate', 'check'], { command: bin, folder })
    assert.equal(code, 2)
    assert.match(
      stderr,
      /^tenantry: There are no migrations: add migrations: readMigrations\(.+\) to the options of the service\. See/m,
    )
  })

  it('gives a TypeScript project all that a feature of its own needs, and its applications', async () => {
    // To check all declarations, also those of other packages, takes four times as long.
    const flags = triesAll ? compilerFlags : [...compilerFlags, '--skipLibCheck']
    const command = [process.execPath, compiler, '-p', folder, ...flags]
    const { code, stdout } = await place.start([], { command, settings: compilerEnvironment }).ended
    assert.equal(code, 0, stdout)
  })

  it('serves its pages, and keeps queries on the tables of tenants scoped for a feature of its own, too', async () => {
    // The command of the checkout runs the copy of the package that the features import.
    const config = join(folder, 'tenantry.config.ts')
    const service = await place.serve({}, [process.execPath, executable, 'serve', '--config', config])
    assert.equal((await service.anonymous.get('/api/notes')).status, 401)
    assert.ok(existsSync(join(place.folder, 'data/tenantry.db')))
    const { authorization } = await createAdmin(service)
    const host = service.anonymous.with({ authorization })
    const made = await host.post('/api/notes', { text: 'Buy oak' }, { 'idempotency-key': 'one' })
    const again = await host.post('/api/notes', { text: 'Buy oak' }, { 'idempotency-key': 'one' })
    assert.deepEqual([made.status, again.status, again.body.id], [201, 201, made.body.id])
    assert.equal((await host.post('/api/notes', { text: 'Buy oak' })).status, 400)
    const stale = await host.put(`/api/notes/${made.body.id}`, { text: 'Buy ash' }, { 'if-match': '"9"' })
    assert.equal(stale.status, 412)
    assert.equal((await host.put(`/api/notes/${made.body.id}`, { text: 'Buy ash' })).status, 200)
    const list = await host.get('/api/notes')
    assert.deepEqual(
      list.body.map(({ text }: { text: string }) => text),
      ['Buy ash'],
    )

    const other = { id: 'other', name: 'Other', admin: person('ada') }
    assert.equal((await host.post('/api/tenants', other)).status, 201)
    const { body } = await service.anonymous.post(
      '/api/auth/login',
      { userName: 'ada', password },
      { 'x-tenant-id': 'other' },
    )
    const stranger = service.anonymous.withToken(body.accessToken)
    assert.deepEqual((await stranger.get('/api/notes')).body, [])
    assert.equal((await stranger.put(`/api/notes/${made.body.id}`, { text: 'Mine' })).status, 404)

    const document = await service.anonymous.get('/swagger/v1/swagger.json')
    assert.ok('/api/notes/{id}' in document.body.paths)
    for (const path of ['/swagger', '/api-docs', '/graphql/ui', '/console'])
      assert.equal((await service.anonymous.get(path)).status, 200, path)
    assert.equal((await service.stop()).code, 0)
  })

  it('has what the tests of its applications need', async () => {
    for (const [application, test, passed] of [
      [notes, 'note.test.ts', 2],
      [invoices, 'invoice.test.ts', 3],
    ] as const) {
      const command = [process.execPath, '--test', '--test-isolation=none', '--test-reporter=tap', test]
      const { code, stdout } = await place.runProcess([], { command, folder: application })
      assert.equal(code, 0, stdout)
      assert.match(stdout, new RegExp(`^# pass ${passed}$`, 'm'))
    }
  })
})
