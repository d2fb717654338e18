/** The command `tenantry` in the folder of an application, and the file that describes it. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findConfig } from '../../src/cli/application.ts'
import { ApplicationError, loadApplication } from '../../src/index.ts'
import { ownEntry } from '../database/schema/application.ts'
import { Workplace } from '../support/process/workplace.ts'

describe('The file of an application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-config-'))
  const define = `import { defineConfig, entity, text } from '${ownEntry}'\n`
  const note = "const note = entity('note', { fields: { title: text() } })\n"
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  after(() => rmSync(folder, { recursive: true, force: true }))

  const refused: [title: string, text: string, complaint: RegExp][] = [
    ['throws', "throw new Error('No disk')", /^ cannot be loaded: Error: No disk\n {4}at [^\n]+:1:7\)?$/],
    ['does not parse', 'export default {', /^ cannot be loaded: .*SyntaxError/s],
    ['imports what is not there', "import './no.ts'", /^ cannot be loaded: Cannot find module [^\n]*$/],
    ['exports nothing', 'export const features = []', /^ exports nothing by default, and not defineConfig/],
    [
      'exports an object',
      'export default { features: [] }',
      /^ exports an object by default, and not define/,
    ],
    [
      'misspells',
      `${define}export default defineConfig({ feature: [] })`,
      /^: .* feature; did you mean features\?$/,
    ],
    [
      'has no features',
      `${define}export default defineConfig({})`,
      /^: features must be a list of features\.$/,
    ],
    [
      'has something else among its features',
      `${define}export default defineConfig({ features: [undefined] })`,
      /^: features\[0\] is no feature, because it has no name\.$/,
    ],
    [
      'names a feature twice',
      `${define}${note}export default defineConfig({ features: [note, note] })`,
      /^: features has note twice\.$/,
    ],
  ]
  for (const [place, [title, text, complaint]] of refused.entries()) {
    it(`is refused with its name and the reason if it ${title}`, async () => {
      const file = write(`refused-${place}.ts`, text)
      await assert.rejects(loadApplication(file), (error) => {
        assert.ok(error instanceof ApplicationError)
        assert.ok(error.message.startsWith(file), error.message)
        assert.match(error.message.slice(file.length), complaint)
        return true
      })
    })
  }

  it('says what is left out, and brings the migrations in its folder or in another one', async () => {
    const named = `${define}${note}export default defineConfig({ features: [note], migrations: '../made' })`
    const { migrations } = await loadApplication(write('named/app.ts', named))
    assert.equal(migrations?.folder, join(folder, 'made'))
    const usual = `${define}${note}export default defineConfig({ features: [note] })`
    const { migrations: beside } = await loadApplication(write('usual/app.ts', usual))
    assert.equal(beside?.folder, join(folder, 'usual/migrations'))
    const none = `${define}export default defineConfig({ features: [], without: ['orders'] })`
    assert.deepEqual(await loadApplication(write('none.ts', none)), { features: [], without: ['orders'] })
  })

  it('is one file of its folder', async () => {
    assert.equal(await findConfig(null, folder), null)
    for (const name of ['tenantry.config.ts', 'tenantry.config.mjs']) write(`two/${name}`, '')
    const two = join(folder, 'two')
    const message = `${two} has tenantry.config.ts and tenantry.config.mjs: name one of them with --config.`
    await assert.rejects(findConfig(null, two), { message })
  })

  it('imports the copy of the package that loads it', async () => {
    const other = `export default { features: [], [Symbol.for('tenantry.copy')]: {} }`
    await assert.rejects(loadApplication(write('other.mjs', other)), /imports another copy of tenantry than/)
  })
})

describe('tenantry --config', () => {
  const place = new Workplace()
  before(() => writeFileSync(join(place.folder, 'tenantry.config.js'), "throw new Error('loaded')"))
  after(() => place[Symbol.asyncDispose]())

  it('names another file than that of the folder', async () => {
    mkdirSync(join(place.folder, 'apps'))
    const text = `import { defineConfig, entity, text } from '${ownEntry}'
const note = entity('note', { fields: { title: text() } })
export default defineConfig({ features: [note] })`
    writeFileSync(join(place.folder, 'apps/notes.mjs'), text)
    const { code, stderr } = await place.run(['migrate', 'diff', '--config=apps/notes.mjs'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.ok(existsSync(join(place.folder, 'apps/migrations/0001-create-note.sql')))
  })

  const failures: [words: string, code: number, complaint: RegExp][] = [
    ['serve', 1, /^tenantry: \S+tenantry\.config\.js cannot be loaded: Error: loaded\n/],
    ['serve --config apps/none.ts', 1, /^tenantry: There is no file \S+\/apps\/none\.ts\.\n$/],
    ['tenant list --config', 2, /^tenantry: --config takes a file\. See tenantry --help\.\n$/],
    ['nonsense', 2, /^tenantry: There is no command "nonsense"\. See/],
  ]
  for (const [words, code, complaint] of failures) {
    it(`fails before anything is written: ${words}`, async () => {
      const ended = await place.run(words.split(' '))
      assert.deepEqual([ended.code, ended.stdout], [code, ''])
      assert.match(ended.stderr, complaint)
      assert.ok(!existsSync(join(place.folder, 'data')))
    })
  }
})
