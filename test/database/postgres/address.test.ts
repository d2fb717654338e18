/** Addresses of PostgreSQL, as libpq reads them. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startPostgres } from '../../support/database/postgres-server.ts'
import { queryServer } from '../../support/database/query-server.ts'
import { createPostgresDatabase, migratedTemplate } from '../../support/databases.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { startService } from '../../support/service.ts'

const MASTER_KEY = newMasterKey()

/** Runs `migrate`, which opens the database and says why it cannot. */
async function migrate(url: string): Promise<{ code: number | null; stderr: string }> {
  await using place = new Workplace()
  return place.run(['migrate'], { settings: { DATABASE_URL: url, MASTER_KEY } })
}

describe('An address of PostgreSQL', () => {
  it('with a password that is not percent-encoded is refused with this cause, and without a part of it', async () => {
    const secrets = [
      ...['zq@wv', 'zq/wv', 'zq?wv', 'zq#wv', 'zq@wv/jk#xy?', '12/34', '12?34', '12#34', 'qq@jj@kk'],
      ...['zq%ffwv', '%zz@qv'],
    ]
    for (const secret of secrets) {
      const { code, stderr } = await migrate(`postgres://tenantry:${secret}x@127.0.0.1:1/app`)
      assert.equal(code, 1, secret)
      assert.match(
        stderr,
        /DATABASE_URL: the user or the password has a character that must be percent-encoded/,
        secret,
      )
      for (const part of secret.split(/[@/?#%]/)) assert.ok(part.length < 2 || !stderr.includes(part), stderr)
    }
  })

  it('with an encoded password, or with characters that need no code, is read', async () => {
    const database = await createPostgresDatabase(migratedTemplate)
    const password = 'p@s/s?w#o:r%d é "\\\''
    const url = new URL(database.url)
    await queryServer(
      database.url,
      `CREATE ROLE odd LOGIN SUPERUSER PASSWORD '${password.replaceAll("'", "''")}'`,
    )
    const address = `postgresql://odd:${encodeURIComponent(password)}@${url.host}${url.pathname}`
    const { code, stderr } = await migrate(address)
    assert.deepEqual([code, stderr], [0, ''])
    await queryServer(database.url, "ALTER ROLE odd PASSWORD '$!*()+,;=&~_-.'")
    assert.equal((await migrate(`postgres://odd:$!*()+,;=&~_-.@${url.host}${url.pathname}`)).code, 0)
    await database.drop()
    await queryServer(url.href.replace(url.pathname, '/postgres'), 'DROP ROLE odd')
  })

  it('of several hosts leads to the first that answers and is of the wanted kind', async () => {
    const database = await createPostgresDatabase(migratedTemplate)
    const url = new URL(database.url)
    const user = `${url.username}:${url.password}`
    const several = `postgres://${user}@127.0.0.1:1,localhost:${url.port}${url.pathname}`
    const service = await startService('postgres', {
      MASTER_KEY,
      DATABASE_URL: `${several}?target_session_attrs=read-write`,
    })
    const made = await service.host.post('/api/products', { name: 'Desk', price: 1 })
    assert.equal(made.status, 201, made.text)
    await service.stop()
    const named = `postgres://${user}@${url.pathname}?host=127.0.0.1,localhost&port=1,${url.port}`
    assert.equal((await migrate(named)).code, 0)
    const primary = `postgres://${user}@localhost:${url.port},127.0.0.1:1${url.pathname}`
    const preferring = await migrate(`${primary}?target_session_attrs=prefer-standby`)
    assert.deepEqual([preferring.code, preferring.stderr], [0, ''])
    const none = await migrate(`${several}?target_session_attrs=standby`)
    assert.equal(none.code, 1)
    assert.match(none.stderr, /cannot be reached|No PostgreSQL server of the address is standby/)
    const wrong = await migrate(
      `postgres://${user.replace('tenantry', 'wrong')}@${url.host},127.0.0.1:1${url.pathname}`,
    )
    assert.match(wrong.stderr, /password authentication failed/)
    await database.drop()
  })

  it('of a socket leads to it, and creates a database that is not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-socket-'))
    chmodSync(folder, 0o777)
    const server = await startPostgres([`unix_socket_directories=${folder}`])
    const { port, username, password } = new URL(server.url)
    const address = `postgres://${username}:${password}@/fresh?host=${folder}&port=${port}`
    for (const url of [address, address.replace(folder, encodeURIComponent(folder))]) {
      const { code, stderr } = await migrate(url)
      assert.deepEqual([code, stderr], [0, ''])
    }
    await server.stop()
    rmSync(folder, { recursive: true })
  })
})
