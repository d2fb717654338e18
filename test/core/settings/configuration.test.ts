import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { loadConfig } from '../../../src/core/settings/config.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { Workplace } from '../../support/process/workplace.ts'

describe('The configuration', () => {
  it('stops the start, names every fault at once and leaves nothing behind', async () => {
    await using place = new Workplace()
    writeFileSync(join(place.folder, '.env'), 'PORT=70000\nSPEED=fast\nLOG_LEVEL=loud\n')
    const settings = { DATABASE_URL: 'mysql://x', TRUST_PROXY: 'maybe', TENANTRY_FOO: '1', LOG_LEVLE: 'info' }
    const { code, stdout, stderr } = await place.run(['serve'], { settings })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.deepEqual(stderr.split('\n').slice(0, -1), [
      'tenantry: The configuration is not valid:',
      '  - SPEED: there is no such setting (in .env)',
      '  - TENANTRY_FOO: there is no such setting',
      '  - LOG_LEVLE: there is no such setting; did you mean LOG_LEVEL?',
      '  - PORT: must be a whole number from 0 to 65535',
      '  - DATABASE_URL: must be postgres://… or sqlite:<file>',
      '  - TRUST_PROXY: must be true, false, a number of proxies, or IP addresses and networks; not maybe',
      '  - LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
    ])
    assert.deepEqual(readdirSync(place.folder), ['.env'])
  })

  it('ends at once, in a line, where the data folder cannot be made', {
    skip: existsSync('/proc/self') ? false : 'there is no /proc',
  }, async () => {
    await using place = new Workplace()
    const MASTER_KEY = newMasterKey()
    for (const [folder, reason] of [
      ['/proc/nope/data', /ENOENT/],
      ['/dev/null/data', /ENOTDIR/],
    ] as const) {
      const settings = { DATA_DIR: folder }
      for (const key of [{}, { MASTER_KEY }]) {
        const { code, stderr } = await place.run(['serve'], { settings: { ...settings, ...key } })
        assert.equal(code, 1)
        assert.match(stderr, /^tenantry: The data folder \S+ cannot be used\. \([^\n]+\)\n$/)
        assert.match(stderr, reason)
      }
    }
  })

  it('is read from a .env file that begins with a byte order mark, as Windows writes it', async () => {
    await using place = new Workplace()
    const byteOrderMark = '\ufeff'
    writeFileSync(join(place.folder, '.env'), `${byteOrderMark}LOG_LEVEL=debug\r\nPORT=8080\r\n`)
    const { logLevel, port } = loadConfig({ MASTER_KEY: newMasterKey() }, place.folder)
    assert.deepEqual([logLevel, port], ['debug', 8080])
  })

  it('comes from .env in the working directory, and the environment wins', async () => {
    await using place = new Workplace()
    writeFileSync(
      join(place.folder, '.env'),
      '# Ours\nDATA_DIR="from file"\nLOG_LEVEL=silent\nCOMPOSE_PROJECT_NAME=shop\nPOSTGRES_PASSWORD=x\n',
    )
    const service = await place.serve()
    assert.equal((await service.anonymous.get('/health')).status, 200)
    assert.equal((await service.stop()).code, 0)
    assert.deepEqual(service.log(), [])
    assert.ok(existsSync(join(place.folder, 'from file/tenantry.db')))

    const settings = { DATA_DIR: 'from environment' }
    assert.equal((await place.run(['tenant', 'list'], { settings })).code, 0)
    assert.ok(existsSync(join(place.folder, 'from environment/tenantry.db')))
    const { logLevel } = loadConfig({ LOG_LEVEL: 'info' }, place.folder)
    assert.equal(logLevel, 'info')
  })

  it('says so when .env cannot be read', async () => {
    await using place = new Workplace()
    mkdirSync(join(place.folder, '.env'))
    const { code, stderr } = await place.run(['tenant', 'list'])
    assert.equal(code, 1)
    assert.match(stderr, /^tenantry: The configuration is not valid:\n {2}- \.env: EISDIR[^\n]*\n$/)
  })

  it('keeps the embedded database, its tenants and the master key in the data folder alone', async () => {
    await using place = new Workplace()
    await place.run(['tenant', 'create', 'acme', '--name', 'Acme', '--connection-string', 'sqlite:acme.db'])
    assert.deepEqual(readdirSync(place.folder), ['data'])
    assert.deepEqual(readdirSync(join(place.folder, 'data')).toSorted(), [
      'folder.lock',
      'initialized',
      'master.key',
      'tenantry.db',
      'tenants',
    ])
    assert.deepEqual(readdirSync(join(place.folder, 'data/tenants')).toSorted(), [
      'acme.db',
      'acme.db-serving',
    ])
    assert.equal(statSync(join(place.folder, 'data')).mode & 0o777, 0o700)
  })
})

describe('The master key', () => {
  it('is made once, for its owner alone, and used again', async () => {
    await using place = new Workplace()
    const file = join(place.folder, 'data/master.key')
    assert.equal((await place.run(['keys', 'rotate'])).code, 0)
    const made = readFileSync(file, 'utf8')
    assert.match(made, /^[A-Za-z0-9+/]{43}=\n$/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await place.run(['keys', 'rotate'])).code, 0)
    assert.equal(readFileSync(file, 'utf8'), made)
  })

  it('is one and the same for two processes that start at once', async () => {
    await using place = new Workplace()
    const both = await Promise.all([1, 2].map(() => place.runProcess(['tenant', 'list'])))
    assert.deepEqual(
      both.map(({ code, stderr }) => ({ code, stderr })),
      [
        { code: 0, stderr: '' },
        { code: 0, stderr: '' },
      ],
    )
    assert.deepEqual(
      readdirSync(join(place.folder, 'data')).filter((name) => name.startsWith('master')),
      ['master.key'],
    )
  })

  it('is refused when its file is damaged, and nothing is written over it', async () => {
    await using place = new Workplace()
    const file = join(place.folder, 'data/master.key')
    mkdirSync(join(place.folder, 'data'))
    for (const damaged of ['', 'not a key\n', `${randomBytes(16).toString('base64')}\n`]) {
      writeFileSync(file, damaged)
      const { code, stderr } = await place.run(['serve'])
      assert.equal(code, 1)
      assert.equal(
        stderr,
        `tenantry: The configuration is not valid:\n  - ${file}: must be 32 bytes in base64\n`,
      )
      assert.equal(readFileSync(file, 'utf8'), damaged)
    }
  })

  it('is refused in one line when the database was sealed with another one', async () => {
    await using place = new Workplace()
    assert.equal((await place.run(['tenant', 'list'])).code, 0)
    const settings = { MASTER_KEY: newMasterKey() }
    const { code, stderr } = await place.run(['serve'], { settings })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^tenantry: The master key does not decrypt the signing-key in the database, [^\n]+\n$/,
    )
  })
})
