import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { refused } from '../support/http/connection.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { compilerEnvironment, compilerFlags } from '../support/process/compiler-command.ts'
import { copyInvoiceApplication, createAcme } from '../support/process/invoice-application.ts'
import {
  buildAndPack,
  installFrom,
  installInto,
  npm,
  npmEnvironment,
  type Tarball,
} from '../support/process/package.ts'
import { executable, project, Workplace } from '../support/process/workplace.ts'
import { password, person } from '../support/service.ts'

const compiler = join(project, 'node_modules/typescript/bin/tsc')

describe('The package', () => {
  const place = new Workplace({ PORT: '0' })
  const folder = join(place.folder, 'consumer')
  let tarball: Tarball
  before(async () => {
    tarball = await buildAndPack(place.folder)
    await installInto(folder, tarball)
    cpSync(join(project, 'test/package/consumer'), folder, { recursive: true })
    copyInvoiceApplication(join(folder, 'invoices'), 'tenantry') // for the compiler
  })
  after(() => place[Symbol.asyncDispose]())

  it('holds what it needs to run and to be understood, and nothing else', () => {
    const modules = globSync('**/*.ts', { cwd: join(project, 'src') })
    const declarations = modules.map((path) => `dist/${path.replace(/\.ts$/, '.d.ts')}`)
    const chunks = tarball.files.filter((path) => /^dist\/[\w-]+\.js$/.test(path))
    assert.ok(chunks.includes('dist/main.js') && chunks.includes('dist/index.js'))
    assert.ok(chunks.length < 40, `${chunks.length} files are no bundle`)
    const page = ['LICENSES.txt', 'graphiql.css', 'graphiql.js', 'index.html'].map(
      (name) => `dist/graphiql/${name}`,
    )
    const swagger = ['LICENSE', 'swagger-ui-bundle.js', 'swagger-ui.css'].map(
      (name) => `dist/swagger-ui/${name}`,
    )
    const migrations = globSync('migrations/*', { cwd: join(project, 'src/catalog') })
    const copied = migrations.map((path) => `dist/${path}`)
    const ofConsole = globSync('dist/console/**/*.{html,css,js,txt}', { cwd: project })
    assert.ok(ofConsole.includes('dist/console/index.html') && ofConsole.length > 3)
    const pages = [...page, ...swagger, ...ofConsole]
    const built = [...declarations, ...chunks, ...copied, 'dist/LICENSES.txt', ...pages]
    const assets = globSync(['assets/reference/*.{html,css,js}', 'assets/passwords/*'], { cwd: project })
    const documents = globSync('docs/**/*.{md,json,conf}', { cwd: project })
    const templates = globSync('templates/**/*', { cwd: project }).filter((path) =>
      statSync(join(project, path)).isFile(),
    )
    const single = ['.env.example', 'CHANGELOG.md', 'LICENSE', 'README.md', 'bin/tenantry.js', 'package.json']
    assert.deepEqual(tarball.files, [...built, ...assets, ...documents, ...templates, ...single].toSorted())
  })

  it('tells its version when npx runs it', async () => {
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    const { code, stdout } = await npx('--version').ended
    assert.deepEqual({ code, stdout }, { code: 0, stdout: `${version}\n` })
  })

  it('has no definitions of its own to compare', async () => {
    const { code, stderr } = await npx('migrate', 'check').ended
    assert.equal(code, 2)
    assert.match(
      stderr,
      /^tenantry: There are no migrations: add migrations: readMigrations\(.+\) to the options of the service\. See/m,
    )
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

  it('gives a TypeScript project all that a feature of its own needs', async () => {
    const command = [process.execPath, compiler, '-p', folder, ...compilerFlags]
    const { code, stdout } = await place.start([], { command, settings: compilerEnvironment }).ended
    assert.equal(code, 0, stdout)
  })

  it('keeps queries on the tables of tenants scoped for a feature of its own, too', async () => {
    // The command of the checkout runs the copy of the package that the features import.
    const config = join(folder, 'tenantry.config.ts')
    const service = await place.serve({}, [process.execPath, executable, 'serve', '--config', config])
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
    assert.equal((await service.stop()).code, 0)
  })

  it('makes an application that is complete, starts and passes its test', async () => {
    const made = await npx('init', '../my-app').ended
    assert.equal(made.code, 0, made.stderr)
    const app = join(place.folder, 'my-app')
    assert.ok(existsSync(join(app, basename(tarball.path))))
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
