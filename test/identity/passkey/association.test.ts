/** Applications and sites on other domains that use the passkeys of the service. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { startService } from '../../support/service.ts'
import { SoftwareAuthenticator } from '../../support/software-authenticator.ts'

const certificate = randomBytes(32)
const fingerprint = certificate.toString('hex').toUpperCase().match(/../g)?.join(':') ?? ''
const files = ['assetlinks.json', 'apple-app-site-association', 'webauthn'].map(
  (each) => `/.well-known/${each}`,
)

describe('Applications and sites that use passkeys of the service', () => {
  it('are named in the files of the settings, and nowhere else', async () => {
    const service = await startService('sqlite', {
      PASSKEY_ANDROID_APPS: `org.acme.app=${fingerprint}`,
      PASSKEY_APPLE_APPS: 'ABCDE12345.org.acme.app, ABCDE12345.org.acme.beta',
      PASSKEY_RELATED_ORIGINS: 'https://acme.org',
    })
    try {
      const replies = await Promise.all(files.map((file) => service.anonymous.get(file)))
      for (const { status, headers } of replies)
        assert.deepEqual([status, headers.get('content-type')?.split(';')[0]], [200, 'application/json'])
      const [android, apple, related] = replies.map(({ body }) => body)
      assert.deepEqual(android, [
        {
          relation: [
            'delegate_permission/common.handle_all_urls',
            'delegate_permission/common.get_login_creds',
          ],
          target: {
            namespace: 'android_app',
            package_name: 'org.acme.app',
            sha256_cert_fingerprints: [fingerprint],
          },
        },
      ])
      assert.deepEqual(apple, {
        webcredentials: { apps: ['ABCDE12345.org.acme.app', 'ABCDE12345.org.acme.beta'] },
      })
      assert.deepEqual(related, { origins: ['https://acme.org'] })

      const { user } = await service.newTenant()
      const hash = certificate.toString('base64url')
      const accepted = ['https://acme.org', `android:apk-key-hash:${hash}`]
      for (const origin of [...accepted, 'https://evil.example']) {
        const { body } = await user.post('/api/auth/passkeys/creation-options')
        const response = new SoftwareAuthenticator(service.config.baseUrl).create(body, { origin })
        const { status, text } = await user.post('/api/auth/passkeys', { name: 'Mine', response })
        assert.equal(status, accepted.includes(origin) ? 201 : 400, text)
      }
    } finally {
      await service.stop()
    }
  })

  it('have no file without a setting', async () => {
    const service = await startService('sqlite')
    try {
      for (const file of files) assert.equal((await service.anonymous.get(file)).status, 404, file)
    } finally {
      await service.stop()
    }
  })
})
