import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { executable, project, Workplace } from '../support/process/workplace.ts'

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

  it('tells how to get the page for GraphQL where there is no bundle', async () => {
    await using place = new Workplace()
    for (const name of ['src', 'package.json']) {
      cpSync(join(project, name), join(place.folder, name), { recursive: true })
    }
    symlinkSync(join(project, 'node_modules'), join(place.folder, 'node_modules'))
    const service = await place.serve({}, [process.execPath, join(place.folder, 'src/main.ts'), 'serve'])
    for (const path of ['/graphql/ui', '/graphql/ui/graphiql.js']) {
      const { status, body, headers } = await service.anonymous.get(path)
      assert.equal(status, 404)
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      assert.deepEqual(Object.keys(body), ['message'])
      assert.match(body.message, /"npm run build"/)
    }
    assert.equal((await service.stop()).code, 0)
  })
})
