/** An application that is made, installed, checked, tested and started with each package manager, from the registry. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { buildAndPack, installInto, npmEnvironment, type Tarball } from '../support/process/package.ts'
import { Workplace } from '../support/process/workplace.ts'

/** Each as `npx` runs it, with how it names itself. */
const managers: [name: string, command: string[], agent: string][] = [
  ['npm', ['npm'], 'npm/11.19.1'],
  ['pnpm', ['npx', '--yes', 'pnpm@12.21.0'], 'pnpm/12.21.0'],
  ['yarn', ['npx', '--yes', '--package', '@yarnpkg/cli-dist@4.18.1', 'yarn'], 'yarn/4.18.1'],
]

describe('An application', () => {
  const place = new Workplace()
  const consumer = join(place.folder, 'consumer')
  let tarball: Tarball
  before(async () => {
    tarball = await buildAndPack(place.folder)
    await installInto(consumer, tarball)
  })
  after(() => place[Symbol.asyncDispose]())

  for (const [name, command, agent] of managers)
    it(`is made, installed, checked, tested and started with ${name}`, async () => {
      const folder = join(place.folder, `with-${name}`)
      const settings = { ...npmEnvironment(), PORT: '0' }
      const run = async (...words: string[]) => {
        const { code, stdout, stderr } = await place.start([], {
          command: [...command, ...words],
          folder,
          settings,
        }).ended
        assert.equal(code, 0, `${words.join(' ')}\n${stdout}${stderr}`)
        return stdout
      }
      // Not by npx, which would name itself.
      const tenantry = join(consumer, 'node_modules/tenantry/bin/tenantry.js')
      const made = await place.start([], {
        command: [process.execPath, tenantry, 'init', `../with-${name}`],
        folder: consumer,
        settings: { ...npmEnvironment(), npm_config_user_agent: agent },
      }).ended
      assert.equal(made.code, 0, made.stderr)
      await run('install')
      assert.match(await run('run', 'check'), /^The OpenAPI document is valid/m)
      assert.match(await run('test'), /^ℹ pass 2$/m)
      const running = place.start([], { command: [...command, 'start'], folder, settings })
      const [, url = ''] = await running.waitFor(/^Tenantry listens on (\S+)$/m)
      assert.equal((await fetch(`${url}/api/notes`)).status, 401)
      await running.kill() // pnpm passes no signal on
    })
})
