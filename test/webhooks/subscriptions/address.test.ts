/** Which addresses a running service accepts, by its settings. `ip-address.test.ts` has all notations. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError } from '../../support/error.ts'
import { startService } from '../../support/service.ts'
import { changeSubscription, path, receiver, register } from './registration.ts'

const inside = [
  'https://10.0.0.1/',
  'https://[::ffff:10.0.0.1]/',
  'https://0xa.1/',
  'https://169.254.169.254/',
]
const loopback = ['https://127.0.0.1/', 'https://localhost./', 'https://[::1]/', 'https://2130706433/']

const expectations = [
  {
    name: 'in development',
    settings: {},
    accepted: ['http://127.0.0.1:3000/', 'http://localhost/', 'http://[::1]/', ...loopback],
    refused: ['http://example.com/', 'http://10.0.0.1/', ...inside],
  },
  {
    name: 'in development while others reach the service',
    settings: { HOST: '0.0.0.0' },
    accepted: ['https://example.com/'],
    refused: ['http://127.0.0.1:3000/', 'http://localhost/', 'http://[::1]/', ...loopback, ...inside],
  },
  {
    name: 'in development while others reach the service, with exempted networks',
    settings: { HOST: '::', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    accepted: ['http://127.0.0.1:3000/', 'http://localhost/', 'https://127.0.0.1/'],
    refused: ['http://[::1]/', 'https://[::1]/', 'http://example.com/', ...inside],
  },
  {
    name: 'in production',
    settings: { NODE_ENV: 'production', HOST: 'localhost' },
    accepted: ['https://example.com/', 'https://8.8.8.8/'],
    refused: ['http://127.0.0.1:3000/', 'http://localhost/', 'http://example.com/', ...loopback, ...inside],
  },
  {
    name: 'in production with exempted networks',
    settings: {
      NODE_ENV: 'production',
      HOST: 'localhost',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/24, fd00::/8',
    },
    accepted: ['https://10.0.0.1/', 'https://0xa.1/', 'https://[fd00::1]/'],
    refused: ['http://10.0.0.1/', 'https://10.0.1.1/', 'https://169.254.169.254/', ...loopback],
  },
]

const namesSetting = /^url: must not lead to a (private|loopback) .*unless WEBHOOK_ALLOWED_NETWORKS names/

/** What is refused for its scheme alone needs another scheme, and no setting. */
function refusalOf(url: string): RegExp {
  return url.startsWith('https:') ? namesSetting : /^url: must /
}

describe('The address of a receiver', () => {
  for (const { name, settings, accepted, refused } of expectations) {
    it(`${name} is judged on registration and on change`, async () => {
      const service = await startService('sqlite', settings)
      try {
        const { id } = await register(service.host)
        for (const url of accepted) {
          assert.equal((await register(service.host, { url })).url, url)
          assert.equal((await changeSubscription(service.host, id, { url })).status, 200, url)
        }
        for (const url of refused) {
          for (const form of [path, '/api/v1/webhooks']) {
            const answer = await service.host.post(form, { ...receiver, url })
            assertError(answer, 400, refusalOf(url))
          }
          assertError(await changeSubscription(service.host, id, { url }), 400, /^url: must /)
        }
      } finally {
        await service.stop()
      }
    })
  }
})
