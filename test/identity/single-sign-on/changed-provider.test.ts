/** A tenant changes its provider while requests to the former one are in progress. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { onEitherDatabase } from '../../support/databases.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { uniqueName } from '../../support/service.ts'
import { sharedIdentityService } from '../identity-service.ts'
import { startDiscovery } from './discovery.ts'

const clientId = 'tenantry'
const event = 'http://schemas.openid.net/event/backchannel-logout'

onEitherDatabase('A new provider', (database) => {
  it('is where users sign in at once, also when the former one was removed before', async () => {
    const service = await sharedIdentityService(database)
    const [former, present] = [await startDiscovery(), await startDiscovery()]
    const { admin, id } = await service.newTenant()
    const start = `/api/auth/sso/${id}/start?returnTo=/account/sso&codeChallenge=${'a'.repeat(43)}`
    try {
      for (const { issuer } of [former, present]) {
        const set = await admin.put('/api/tenant/sso', { issuer, clientId, clientSecret: 'secret' })
        assert.equal(set.status, 200, set.text)
        const { headers, text } = await service.anonymous.get(start, fromAnyAddress())
        assert.equal(new URL(headers.get('location') ?? text).origin, issuer)
        assert.equal((await admin.delete('/api/tenant/sso')).status, 204)
      }
    } finally {
      former.close()
      present.close()
      await service.stop()
    }
  })

  it('is verified by its own keys, whatever is being asked of the former one', async () => {
    const service = await sharedIdentityService(database)
    const [former, present] = [await newProvider(), await newProvider()]
    const { admin, id } = await service.newTenant()
    const choose = async (issuer: string): Promise<void> => {
      const { status, text } = await admin.put('/api/tenant/sso', {
        issuer,
        clientId,
        clientSecret: 'secret',
      })
      assert.equal(status, 200, text)
    }
    /** Begins a sign-out, for which the service reads the discovery document. @returns a function that lets it go on */
    const signOutAt = async (provider: Provider) => {
      const held = Promise.withResolvers<void>()
      const asked = provider.discovery.hold(held.promise)
      const logout = new URLSearchParams({ logout_token: await tokenOf(provider) })
      const path = `/api/auth/sso/${id}/backchannel-logout`
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = service.anonymous.post(path, String(logout), form)
      await asked
      return async () => {
        held.resolve()
        return (await answer).status
      }
    }
    const tokenOf = ({ discovery: { issuer }, key }: Provider): Promise<string> => {
      const iat = Math.floor(service.clock.now().getTime() / 1000)
      const claims = { iss: issuer, aud: clientId, sub: 'ada', jti: uniqueName('jti'), iat, exp: iat + 120 }
      const header = { alg: 'ES256', kid: 'one', typ: 'logout+jwt' }
      return new SignJWT({ ...claims, events: { [event]: {} } }).setProtectedHeader(header).sign(key)
    }
    try {
      await choose(former.discovery.issuer)
      const atFormer = await signOutAt(former)
      await choose(present.discovery.issuer)
      const atPresent = await signOutAt(present)
      await atFormer()
      assert.equal(await atPresent(), 200)
    } finally {
      former.discovery.close()
      present.discovery.close()
      await service.stop()
    }
  })
})

type Provider = Awaited<ReturnType<typeof newProvider>>

async function newProvider() {
  const { privateKey: key, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }
  return { key: key satisfies CryptoKey, discovery: await startDiscovery([jwk]) }
}
