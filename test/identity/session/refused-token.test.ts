/** Why a request is not let in, in words and in the challenge (RFC 6750, section 3). */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../support/error.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

describe('A 401', () => {
  let service: IdentityService
  let token: string
  before(async () => {
    service = await sharedIdentityService('sqlite')
    token = (await service.signIn('admin')).accessToken
  })
  after(() => service.stop())

  async function told(authorization?: string): Promise<[string, string | null]> {
    const answer = await service.anonymous.get(
      '/api/auth/me',
      authorization === undefined ? {} : { authorization },
    )
    assertError(answer, 401)
    return [answer.body.message, answer.headers.get('www-authenticate')]
  }

  const invalid = (text: string) => [text, `Bearer error="invalid_token", error_description="${text}"`]

  it('says that there is no token', async () => {
    assert.deepEqual(await told(), ['A bearer token is required, and the request has none.', 'Bearer'])
  })

  it('says that the credentials are of another kind', async () => {
    const text = 'A bearer token is required, and the Authorization header has credentials of another kind.'
    for (const header of ['Basic YTpi', token, `Token ${token}`]) {
      assert.deepEqual(await told(header), [text, 'Bearer'])
    }
  })

  it('says that the header is not one token', async () => {
    const text = 'The Authorization header must be the word Bearer and one token.'
    for (const header of ['Bearer', `Bearer ${token} ${token}`]) {
      assert.deepEqual(await told(header), invalid(text))
    }
  })

  it('says that the token is not ours', async () => {
    for (const foreign of ['nonsense', `${token.slice(0, -4)}AAAA`, 'a'.repeat(8000)]) {
      assert.deepEqual(await told(`Bearer ${foreign}`), invalid('This service has not issued the token.'))
    }
  })

  it('says that the session has ended', async () => {
    const { client, accessToken } = await service.signIn('admin')
    assert.equal((await client.post('/api/auth/logout')).status, 200)
    assert.deepEqual(await told(`Bearer ${accessToken}`), invalid('The session has ended.'))
  })
})
