import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { fastify } from 'fastify'
import { errorReplier } from '../../src/api/http/reply/error-reply.ts'
import { fileSender } from '../../src/api/http/static-file.ts'
import { executable, project } from '../support/process/workplace.ts'

describe('The executable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-bundle-'))
  beforeEach(() => rmSync(folder, { recursive: true, force: true }))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('runs the bundle of a package', () => {
    write('dist/main.js', 10)
    assert.equal(run(), 'dist/main.js')
  })

  it('runs the sources of a checkout without a bundle', () => {
    write('src/main.ts', 10)
    assert.equal(run(), 'src/main.ts')
  })

  it('runs the bundle of a checkout while no source is newer', () => {
    write('src/main.ts', 10)
    write('src/orders/rest.ts', 20)
    write('dist/main.js', 30)
    assert.equal(run(), 'dist/main.js')
    write('src/orders/rest.ts', 40)
    assert.equal(run(), 'src/main.ts')
  })

  function write(path: string, modifiedAtSeconds: number): void {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `console.log('${path}')`)
    for (const each of [file, dirname(file)]) utimesSync(each, modifiedAtSeconds, modifiedAtSeconds)
  }

  function run(): string {
    cpSync(executable, join(folder, 'bin/tenantry.js'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    return execFileSync(process.execPath, [join(folder, 'bin/tenantry.js')], { encoding: 'utf8' }).trim()
  }
})

describe('The bundle', () => {
  it('carries the licences of what is in it', () => {
    const licenses = readFileSync(join(project, 'dist/LICENSES.txt'), 'utf8')
    for (const name of ['fastify', 'kysely', 'typebox', 'jose', 'pg']) {
      assert.match(licenses, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'))
    }
    const ofConsole = readFileSync(join(project, 'dist/console/LICENSES.txt'), 'utf8')
    assert.match(ofConsole, /^preact \d+\.\d+\.\d+ \(MIT\)$/m)
    const ofPage = readFileSync(join(project, 'dist/graphiql/LICENSES.txt'), 'utf8')
    for (const name of ['graphiql', 'react', 'codemirror', 'graphql-ws']) {
      assert.match(ofPage, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'))
    }
  })

  it('can be missing: its pages then tell how to get them', async () => {
    const app = fastify().setErrorHandler(errorReplier(() => undefined, ''))
    for (const name of ['index.html', 'graphiql.js']) {
      app.get(`/${name}`, fileSender(new URL(`file:///nowhere/${name}`)))
    }
    for (const name of ['index.html', 'graphiql.js']) {
      const reply = await app.inject(`/${name}`)
      assert.equal(reply.statusCode, 404)
      assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
      assert.deepEqual(Object.keys(reply.json()), ['message'])
      assert.match(reply.json().message, /"npm run build"/)
    }
  })
})
