import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { settings } from '../../src/core/settings/settings.ts'
import { readProjectFile } from '../support/source.ts'
import { environmentExample, path, withSettingsTable } from './settings-documents.ts'

const mend = 'run: npm run env-example'

describe('the settings are documented as they are', () => {
  test('in .env.example', () => {
    assert.equal(readProjectFile('.env.example'), environmentExample(), mend)
  })

  test('by lines that mean the defaults once they are uncommented', () => {
    const uncommented = parseEnv(environmentExample().replaceAll(/^#(?=[A-Z_]+=)/gm, ''))
    assert.deepEqual(Object.keys(uncommented).toSorted(), Object.keys(settings).toSorted())
    for (const [name, { parse, initial, shown }] of Object.entries(settings)) {
      const written = uncommented[name] ?? ''
      if (written === '') continue
      assert.deepEqual(parse(written), initial, name)
      assert.equal(shown, written, name)
    }
  })

  test('on the page of settings', () => {
    const page = readProjectFile(path) ?? ''
    assert.equal(page, withSettingsTable(page), mend)
  })

  test('by a table that replaces what stood between its marks', () => {
    const renewed = withSettingsTable('before <!-- settings -->stale<!-- /settings --> after')
    assert.match(
      renewed,
      /^before <!-- settings -->\n\| Setting [\s\S]*`PORT`[\s\S]*<!-- \/settings --> after$/,
    )
    assert.ok(!renewed.includes('stale'))
    assert.throws(() => withSettingsTable('no marks'), /no <!-- settings -->/)
  })
})
