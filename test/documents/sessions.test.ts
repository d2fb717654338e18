/** The commands of `docs/identity` list and end sessions, and act as a user. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { maxMinutes } from '../../src/identity/impersonation/schema.ts'
import { recentSignInMs } from '../../src/identity/session/recent-sign-in.ts'
import { maxSessions } from '../../src/identity/session/session.ts'
import { person, startService, type TestService } from '../support/service.ts'
import { fencedBlocks, readDocument, textOf } from './markdown.ts'

const sessions = readDocument('docs/identity/sessions.md')
const impersonation = readDocument('docs/identity/impersonation.md')

const commandsOf = (page: string) =>
  fencedBlocks(page)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)

describe('the pages on sessions', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite')
  })
  after(() => service.stop())

  const run = async (text: string, env: Record<string, string>): Promise<string> => {
    const command = text.replaceAll('localhost:3000', new URL(service.url).host)
    const options = { env: { ...process.env, ...env } }
    return (await promisify(execFile)('bash', ['-euc', command], options)).stdout
  }

  test('have commands that list sessions, end them, and step up', async () => {
    await service.host.post('/api/users', person('ada'))
    const { client, accessToken: TOKEN } = await service.signIn('ada')
    const lost = await service.signIn('ada')
    const [list = '', end = '', endOthers = '', stepUp = ''] = commandsOf(sessions)
    const listed = JSON.parse(await run(list, { TOKEN }))
    const shown = JSON.parse(fencedBlocks(sessions).find(({ language }) => language === 'json')?.text ?? '')
    assert.deepEqual(Object.keys(listed[0]), Object.keys(shown[0]))
    const other = (await lost.client.get('/api/auth/sessions')).body
    const ID = other.find((session: { isCurrent: boolean }) => session.isCurrent).id
    assert.equal(await run(end, { TOKEN, ID }), '')
    assert.equal((await lost.client.get('/api/auth/me')).status, 401)
    assert.equal(await run(endOthers, { TOKEN }), '')
    assert.equal((await client.get('/api/auth/sessions')).body.length, 1)
    assert.deepEqual(Object.keys(JSON.parse(await run(stepUp, { TOKEN }))), ['authenticatedAt'])
  })

  test('have commands that act as a user', async () => {
    const { user } = await service.newTenant()
    const { accessToken: TOKEN } = await service.signIn('admin')
    const [begin = '', use = '', stop = ''] = commandsOf(impersonation)
    const { body } = await user.get('/api/auth/me')
    const { accessToken: ACTING } = JSON.parse(await run(begin, { TOKEN, ID: body.id }))
    const me = JSON.parse(await run(use, { ACTING }))
    assert.deepEqual([me.id, me.impersonator.userName], [body.id, 'admin'])
    await run(stop, { ACTING })
    assert.equal((await service.anonymous.withToken(ACTING).get('/api/auth/me')).status, 401)
  })

  test('have the bounds of the code', () => {
    assert.ok(textOf(sessions).includes(`A user may have ${maxSessions} sessions.`))
    assert.ok(textOf(sessions).includes(`within the last ${recentSignInMs / 60_000} minutes`))
    assert.ok(textOf(impersonation).includes(`for at most ${maxMinutes} minutes`))
  })
})
