import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { configFaults } from './read.ts'

describe('A name that is no setting', () => {
  const misspelt: [written: string, meant: string | null][] = [
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['MASTER_KEYS', 'MASTER_KEY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['TENANTRY_PORT', null],
    ['WEBHOOK_TIMEOUT', null],
    ['GRAPHQL_DEPTH', null],
  ]
  for (const [written, meant] of misspelt) {
    it(`is refused where it must be meant for us: ${written}`, () => {
      const hint = meant === null ? '' : `; did you mean ${meant}?`
      assert.deepEqual(configFaults({ [written]: 'x' }), [`${written}: there is no such setting${hint}`])
    })
  }

  it('is passed over where it may be meant for somebody else', () => {
    const names = 'PATH HOME HOSTNAME POST LOG_FILE DATABASE_POOL npm_config_cache NODE_OPTIONS'.split(' ')
    assert.deepEqual(configFaults(Object.fromEntries(names.map((name) => [name, 'x']))), [])
  })
})
