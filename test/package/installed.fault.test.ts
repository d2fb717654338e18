/** What npm does with the package and with applications made from it: installed, run and packed again. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { refused } from '../support/http/connection.ts'
import { copyInvoiceApplication, createAcme } from '../support/process/invoice-application.ts'
import {
  buildAndPack,
  installFrom,
  installInto,
  npm,
  npmEnvironment,
  type Tarball,
} from '../support/process/package.ts'
import { project, Workplace } from '../support/process/workplace.ts'
import { expectedFiles } from './expected-files.ts'

describe('The package, installed by npm,', () => {
  const place = new Workplace({ PORT: '0' })
  const folder = join(place.folder, 'consumer')
  let tarball: Tarball
  before(async () => {
    tarball = await buildAndPack(place.folder)
    await installInto(folder, tarball)
    cpSync(join(project, 'test/package/consumer'), folder, { recursive: true })
  })
  after(() => place[Symbol.asyncDispose]())

  it('is packed with the files of the package, and no others', () => {
    assert.deepEqual(tarball.files, expectedFiles(tarball.files))
  })

  it('tells its version when npx runs it', async () => {
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    const { code, stdout } = await npx('--version').ended
    assert.deepEqual({ code, stdout }, { code: 0, stdout: `${version}\n` })
  })

  it('starts the service when npx runs it, and Ctrl-C ends both', async () => {
    const running = npx()
    const [, url = ''] = await running.waitFor(/^Tenantry listens on (\S+)$/m)
    for (const path of [
      '/health',
      '/swagger',
      '/api-docs',
      '/swagger/v1/swagger.json',
      '/graphql/ui',
      '/console',
      '/metrics',
    ]) {
      assert.equal((await fetch(`${url}${path}`)).status, 200, path)
    }
    assert.equal((await fetch(`${url}/api/notes`)).status, 401)
    assert.ok(existsSync(join(folder, 'data/tenantry.db')))
    const { stdout } = await running.stop()
    await refused(url)
    assert.match(stdout, /"msg":"stopped"/)
  })

  it('makes an application that is complete, starts and passes its test', async () => {
    const made = await npx('init', '../my-app').ended
    assert.equal(made.code, 0, made.stderr)
    const app = join(place.folder, 'my-app')
    assert.ok(existsSync(join(app, 'vendor', basename(tarball.path))))
    await installFrom(app, tarball)
    await npm(app, 'run', 'check')
    assert.match(await npm(app, 'test'), /^ℹ pass 2$/m)
    const settings = { ...npmEnvironment(), PORT: '0' }
    const running = place.start([], { command: ['npm', 'start'], folder: app, settings })
    const [, url = ''] = await running.waitFor(/^Tenantry listens on (\S+)$/m)
    assert.equal((await fetch(`${url}/api/notes`)).status, 401)
    await running.stop()
    await refused(url)
    assert.ok(existsSync(join(app, 'data/tenantry.db')))
  })

  it('runs the invoice application, packed and unpacked into an empty folder', async () => {
    const [source, app] = [join(place.folder, 'invoices'), join(place.folder, 'unpacked')]
    assert.equal((await npx('init', '../invoices').ended).code, 0)
    for (const name of ['note.ts', 'note.test.ts']) rmSync(join(source, name))
    copyInvoiceApplication(source, 'tenantry')
    const [packed] = JSON.parse(await npm(source, 'pack', '--ignore-scripts', '--json'))
    assert.ok(packed.files.every(({ path }: { path: string }) => path !== '.env'))
    mkdirSync(app)
    execFileSync('tar', ['-xzf', join(source, packed.filename), '-C', app, '--strip-components=1'])
    // What npm has installed for the other project.
    symlinkSync(join(folder, 'node_modules'), join(app, 'node_modules'))

    const settings = { ...npmEnvironment(), PORT: '0' }
    const service = place.start([], { command: ['npm', 'start'], folder: app, settings })
    const [, url = ''] = await service.waitFor(/^Tenantry listens on (\S+)$/m)
    const acme = await createAcme(url)
    const words = ['tenant', 'move', 'acme', '--to', 'sqlite:acme.db']
    const moved = await place.start(words, { command: ['npx', 'tenantry'], folder: app, settings }).ended
    assert.deepEqual([moved.code, moved.stderr], [0, ''])
    assert.ok(existsSync(join(app, 'data/tenants/acme.db')))
    await acme.assertWhole(await acme.signIn(acme.url))
    await service.stop()
    assert.match(await npm(app, 'test'), /^ℹ pass 3$/m)
  })

  function npx(...words: string[]) {
    const command = ['npx', 'tenantry', ...words]
    return place.start([], { command, folder, settings: npmEnvironment() })
  }
})
