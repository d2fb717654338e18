import { type Route, route } from '../../../core/feature/route.ts'
import { receive } from './receive.ts'
import { Received } from './schema.ts'

export interface ReceiveOptions {
  bodyLimitBytes: number
  retrySeconds: readonly number[]
  /** The address of the service as senders know it. */
  baseUrl: string
}

export function receiveRoute({ bodyLimitBytes, retrySeconds, baseUrl }: ReceiveOptions): Route {
  return route({
    tag: 'Incoming webhooks',
    access: 'public',
    method: 'POST',
    path: '/api/webhooks/receive/:provider',
    summary: 'Receive a webhook of a provider',
    description:
      'Needs no token: the signature proves the sender. The address names the tenant, with `?tenant=` or a subdomain. ' +
      'A second message of the same event is answered with 200 and has no effect.',
    parameterTexts: { provider: 'The provider, as configured for the tenant; not case-sensitive' },
    rawBody: {
      limitBytes: bodyLimitBytes,
      description: 'As the provider sends it: the signature covers the bytes',
    },
    reply: Received,
    errors: ['invalid', 'tooManyRequests'],
    handle: (context, { path, headers, bytes, url }) => {
      const addresses = addressesOf(url, { baseUrl, host: String(headers['host'] ?? '') })
      return receive(context, { provider: path.provider, headers, body: bytes, addresses }, retrySeconds)
    },
  })
}

/**
 * The addresses that the sender may have called and signed: a tenant with a subdomain has a host of its own, and a
 * proxy may have changed the header `Host`.
 */
function addressesOf(url: string, { baseUrl, host }: { baseUrl: string; host: string }): string[] {
  const base = new URL(baseUrl)
  const pathAndQuery = `${base.pathname.replace(/\/$/, '')}${url}`
  return [...new Set([`${base.origin}${pathAndQuery}`, `${base.protocol}//${host}${pathAndQuery}`])]
}
