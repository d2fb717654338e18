/** The commands of `docs/identity/passwords.md` refuse a common password and change one. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { defaultPasswordCost } from '../../src/identity/password/argon2.ts'
import { startService, type TestService } from '../support/service.ts'
import { fencedBlocks, readDocument, textOf } from './markdown.ts'

const page = readDocument('docs/identity/passwords.md')

describe('the page on passwords', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite')
  })
  after(() => service.stop())

  test('has commands that work', async () => {
    const { accessToken: TOKEN } = await service.signIn('admin')
    const run = async (text: string): Promise<string> => {
      const command = text.replaceAll('localhost:3000', new URL(service.url).host)
      const options = { env: { ...process.env, TOKEN } }
      return (await promisify(execFile)('bash', ['-euc', command], options)).stdout
    }
    const shown = fencedBlocks(page)
    const [refuse = '', change = '', signIn = ''] = shown
      .filter(({ language }) => language === 'sh')
      .map(({ text }) => text)
    assert.equal(await run(refuse), shown.find(({ language }) => language === 'json')?.text.trim())
    await run(change)
    assert.equal(JSON.parse(await run(signIn)).user.userName, 'admin')
  })

  test('has the cost of the code', () => {
    const { memory, passes } = defaultPasswordCost
    assert.ok(textOf(page).includes(`argon2id: ${memory / 1024} MiB of memory and ${passes} passes`))
  })
})
