/** Requests of the maximum size: a large value in each member of each body that the service reads. */
import { GraphQLRequest } from '../../../../../src/api/graphql/transport/parameters.ts'
import type { Answer, Client } from '../../../../support/client.ts'
import { fromAnyAddress } from '../../../../support/http/forwarded.ts'
import { runsOf } from '../../../../support/run/extent.ts'
import type { TestService } from '../../../../support/service.ts'
import { largeValues, placesIn, type Schema } from './values.ts'

/** Work that grows with the square of the size is far beyond the bound at a quarter of the limit, too. */
export const limitBytes = runsOf(256, 1024) * 1024

export interface LargeRequest {
  title: string
  send(): Promise<Answer>
}

/** @param caller who may call every route */
export function largeRequests({ service, anonymous }: TestService, caller: Client): LargeRequest[] {
  // Whoever signs out can do nothing more.
  const whoSends = (path: string) => (path === '/api/auth/logout' ? anonymous : caller)
  const own = service.features.flatMap(({ routes = [] }) => routes)
  const bodies = own.flatMap(({ method, path, body }) => (body === undefined ? [] : [{ method, path, body }]))
  return [...bodies, { method: 'POST', path: '/graphql', body: GraphQLRequest }].flatMap(
    ({ method, path, body }) => {
      const address = path.replaceAll(/:\w+/g, '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11')
      return placesIn(body as Schema).flatMap(({ path: place, before, after, own: value }) =>
        Object.entries(largeValues(value)).map(([kind, make]) => ({
          title: `${method} ${path} with ${kind} as ${place}`,
          send: () => {
            const bytes = limitBytes - Buffer.byteLength(before) - Buffer.byteLength(after)
            return whoSends(path).send(method, address, `${before}${make(bytes)}${after}`, fromAnyAddress())
          },
        })),
      )
    },
  )
}

const maxHeaderLength = 15_000
const sent = [
  'accept',
  'authorization',
  'content-type',
  'cookie',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'last-event-id',
  'range',
  'stripe-signature',
  'webhook-signature',
  'webhook-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-hub-signature-256',
  'x-request-id',
  'x-tenant-id',
]
const texts = [
  ',',
  ', ',
  'a,',
  'W/"a",',
  '"',
  '(',
  '.',
  ';q=0,',
  ' a',
  '1.1.1.1,',
  't=1,v1=0,',
  'v1,0 ',
  'a=b;',
  '\\',
  '%',
]

/** Headers as long as they may be, on a route that changes, one that reads, one that verifies, and the gateway. */
export function largeHeaders(caller: Client): LargeRequest[] {
  const routes = [
    ['GET', '/api/products'],
    ['PUT', '/api/products/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'],
    ['POST', '/api/webhooks/receive/stripe'],
    ['POST', '/graphql'],
  ] as const
  return routes.flatMap(([method, path]) =>
    sent.flatMap((name) =>
      texts.map((text) => ({
        title: `${method} ${path} with the header ${name} of ${JSON.stringify(text)}`,
        send: () => {
          const value = text.repeat(maxHeaderLength / text.length).trim()
          const body = method === 'GET' ? undefined : { query: '{ products { id } }', name: 'a', price: 1 }
          return caller.send(method, path, body, { ...fromAnyAddress(), [name]: value })
        },
      })),
    ),
  )
}
