/** TLS to PostgreSQL: what each `sslmode` of docs/operations/postgres-tls.md checks. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type PostgresServer, startPostgres } from '../../support/database/postgres-server.ts'
import { certificate, key } from '../../support/mail/certificate.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { startService } from '../../support/service.ts'

describe('TLS to PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-tls-'))
  const MASTER_KEY = newMasterKey()
  const root = join(folder, 'root.crt')
  let server: PostgresServer
  before(async () => {
    chmodSync(folder, 0o755)
    const files = { [root]: certificate, [join(folder, 'server.key')]: key }
    for (const [path, text] of Object.entries(files)) writeFileSync(path, text, { mode: 0o600 })
    chmodSync(root, 0o644)
    // The server refuses a key that others may read, and runs as `nobody` where the tests run as root.
    if (process.getuid?.() === 0) execFileSync('chown', ['nobody', join(folder, 'server.key')])
    server = await startPostgres([
      ...['ssl=on', `ssl_cert_file=${root}`, `ssl_key_file=${join(folder, 'server.key')}`],
    ])
  })
  after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const migrate = async (parameters: string, host = '127.0.0.1') => {
    await using place = new Workplace()
    const DATABASE_URL = `${server.url.replace('127.0.0.1', host)}?${parameters}`
    return place.run(['migrate'], { settings: { DATABASE_URL, MASTER_KEY } })
  }

  it('with the certificate of the root, is encrypted', async () => {
    const settings = { DATABASE_URL: `${server.url}?sslmode=verify-full&sslrootcert=${root}`, MASTER_KEY }
    const service = await startService('postgres', settings)
    const { executor } = (await service.service.operator()).shared.catalogueDatabase
    const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
    assert.deepEqual((await executor.run(sql, [], false)).rows, [{ ssl: true }])
    await service.stop()
  })

  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    it(`with ${mode}, an unknown root is refused in a line`, async () => {
      const { code, stderr } = await migrate(`sslmode=${mode}`)
      assert.equal(code, 1)
      assert.match(stderr, /^tenantry: PostgreSQL cannot be reached\. \(self-signed certificate[^\n]*\)\n$/)
      assert.equal((await migrate(`sslmode=${mode}&sslrootcert=${root}`)).code, 0)
    })

  for (const parameters of [
    'sslmode=no-verify',
    'sslmode=disable',
    'uselibpqcompat=true&sslmode=require',
    'sslmode=verify-full&sslnegotiation=direct',
  ])
    it(`with ${parameters}, works`, async () => {
      const rootOf = parameters.includes('verify-full') ? `&sslrootcert=${root}` : ''
      const { code, stderr } = await migrate(`${parameters}${rootOf}`)
      assert.equal(code, 0, stderr)
    })

  it('with a root that is no file, says which', async () => {
    const { code, stderr } = await migrate(`sslmode=verify-full&sslrootcert=${join(folder, 'none.crt')}`)
    assert.equal(code, 1)
    assert.match(stderr, /DATABASE_URL: names a file that cannot be read: ENOENT.*none\.crt/)
  })
})
