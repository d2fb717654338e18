import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { executable, project } from './workplace.ts'

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
    write('src/product/rest.ts', 20)
    write('dist/main.js', 30)
    assert.equal(run(), 'dist/main.js')
    write('src/product/rest.ts', 40)
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
  })
})
