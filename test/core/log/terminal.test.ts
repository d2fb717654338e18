import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { createLog } from '../../../src/core/log/log.ts'
import { project } from '../../support/process/workplace.ts'

describe('The log', () => {
  it('is text for people on a terminal, and JSON lines elsewhere', async () => {
    const written = async (isTTY: boolean): Promise<string> => {
      const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY })
      const log = await createLog({ logLevel: 'info' }, output)
      log.info({ tenantId: 'acme' }, 'ready')
      return output.read()
    }
    assert.match(await written(true), /INFO[^:]*: [^{]*ready[^{]*\n\s+[^{]*tenantId[^{]*: "acme"\n$/)
    const { msg, tenantId } = JSON.parse(await written(false))
    assert.deepEqual([msg, tenantId], ['ready', 'acme'])
  })

  it('is JSON lines on a terminal too where the sources run without their development dependencies', () => {
    const program = `
      import { registerHooks } from 'node:module'
      const missing = Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' })
      registerHooks({ resolve: (name, context, next) => {
        if (name === 'pino-pretty') throw missing
        return next(name, context)
      } })
      const { createLog } = await import('./src/core/log/log.ts')
      const output = Object.assign(process.stderr, { isTTY: true, write: (text) => process.stdout.write(text) })
      const log = await createLog({ logLevel: 'info' }, output)
      log.info('ready')`
    const written = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: project,
    })
    assert.equal(JSON.parse(written.toString()).msg, 'ready')
  })

  it('finds in the bundle what makes it readable, which no installation has otherwise', () => {
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    assert.equal(dependencies['pino-pretty'], undefined)
    assert.match(readFileSync(join(project, 'dist/pino-pretty.js'), 'utf8'), /\bprettyFactory\b/)
    assert.match(readFileSync(join(project, 'dist/LICENSES.txt'), 'utf8'), /^pino-pretty \d/m)
  })
})
