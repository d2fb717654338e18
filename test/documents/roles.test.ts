/** The commands of `docs/identity/roles.md` make a role and a user who has it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { maxRoles } from '../../src/identity/role/schema.ts'
import { freePort } from '../support/free-port.ts'
import { startService, type TestService } from '../support/service.ts'
import { codeSpans, fencedBlocks, readDocument, tableUnder } from './markdown.ts'

const page = readDocument('docs/identity/roles.md')

describe('the page on roles', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite', { PORT: `${await freePort()}` })
  })
  after(() => service.stop())

  test('has commands that work', async () => {
    const { accessToken: TOKEN } = await service.signIn('admin')
    const address = new URL(service.url).host
    const replies: { roles?: string[]; permissions?: string[] }[] = []
    for (const { text } of fencedBlocks(page).filter(({ language }) => language === 'sh')) {
      const command = text.replaceAll('localhost:3000', address)
      const { stdout } = await promisify(execFile)('bash', ['-euc', command], {
        env: { ...process.env, TOKEN },
      })
      replies.push(JSON.parse(stdout))
    }
    assert.deepEqual(
      replies.map(({ permissions }) => permissions),
      [['audit:read', 'order:read'], undefined, ['product:read'], undefined],
    )
    assert.deepEqual(
      replies.map(({ roles }) => roles),
      [undefined, ['Accountant'], undefined, undefined],
    )
    assert.equal((await service.host.get('/api/tenant/settings')).body.defaultRole, 'Guest')
    const { client } = await service.signIn('bob', undefined, 'Secret@123')
    assert.equal((await client.get('/api/audit')).status, 200)
    assert.equal((await client.get('/api/users')).status, 403)
  })

  test('says what the role User may', async () => {
    const { body } = await service.host.get('/api/roles/User')
    const named = tableUnder(page, 'What the role User may').flatMap(([names = '']) => codeSpans(names))
    assert.deepEqual(named.toSorted(), body.permissions, 'write them into docs/identity/roles.md')
  })

  test('has the bounds of the code', () => {
    assert.match(page, new RegExp(`may have ${maxRoles} roles`))
  })
})
