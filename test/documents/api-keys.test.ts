/** The commands of `docs/identity/api-keys.md` create, use and revoke a key. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { maxApiKeys } from '../../src/identity/api-key/schema.ts'
import { freePort } from '../support/free-port.ts'
import { startService, type TestService } from '../support/service.ts'
import { fencedBlocks, readDocument, textOf } from './markdown.ts'

const page = readDocument('docs/identity/api-keys.md')
const blocks = fencedBlocks(page)

describe('the page on API keys', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite', { PORT: `${await freePort()}` })
  })
  after(() => service.stop())

  test('has commands that work', async () => {
    const { accessToken: TOKEN } = await service.signIn('admin')
    const run = async (text: string, env: Record<string, string>) => {
      const command = text.replaceAll('localhost:3000', new URL(service.url).host)
      const options = { env: { ...process.env, ...env } }
      return (await promisify(execFile)('bash', ['-euc', command], options)).stdout
    }
    const [create = '', byBearer = '', byHeader = '', revoke = ''] = blocks
      .filter(({ language }) => language === 'sh')
      .map(({ text }) => text)
    const made = JSON.parse(await run(create, { TOKEN }))
    const shown = JSON.parse(blocks.find(({ language }) => language === 'json')?.text ?? '')
    assert.deepEqual(Object.keys(made).toSorted(), Object.keys(shown).toSorted())
    for (const member of ['name', 'permissions', 'expiresAt', 'allowedNetworks', 'lastUsedAt'])
      assert.deepEqual(made[member], shown[member], member)
    for (const use of [byBearer, byHeader]) assert.equal(await run(use, { KEY: made.key }), '[]')
    assert.equal(await run(revoke, { TOKEN, ID: made.id }), '')
    assert.deepEqual((await service.host.get('/api/api-keys')).body, [])
  })

  test('has the bounds of the code', () => {
    assert.ok(textOf(page).includes(`A tenant may have ${maxApiKeys} keys.`))
  })
})
