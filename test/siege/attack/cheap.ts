/** Requests that cost little each. The first is the control: the same load without harm. */
import { randomUUID } from 'node:crypto'
import { type RequestParts, requestBytes } from '../../support/http/request-bytes.ts'
import { forwardedFrom } from '../address.ts'
import type { Attack, Front } from '../front.ts'
import { hammer } from '../hammer.ts'

export const controlName = 'control'

export const cheapAttacks: Attack[] = [
  { name: controlName, start: (front) => askInTurn(front, [{ path: '/health/live' }]) },
  {
    name: 'unknown-tenants',
    start: (front) =>
      hammer(front, {
        proxied: true,
        next: (turn) =>
          requestBytes({
            path: '/api/products?limit=1',
            headers: { 'x-tenant-id': randomUUID(), ...forwardedFrom(turn) },
          }),
      }),
  },
  {
    name: 'unknown-hosts',
    start: (front) =>
      hammer(front, {
        next: () =>
          requestBytes({
            path: '/api/products?limit=1',
            headers: { host: `${randomUUID()}.shop.example.com` },
          }),
      }),
  },
  { name: 'metrics', start: (front) => askInTurn(front, [{ path: '/metrics' }], 200) },
  { name: 'readiness', start: (front) => askInTurn(front, [{ path: '/health/ready' }]) },
  {
    name: 'reference-pages',
    start: (front) =>
      askInTurn(
        front,
        ['/swagger', '/graphql/ui', '/swagger/v1/swagger.json', '/api-docs', '/.well-known/jwks.json'].map(
          (path) => ({ path }),
        ),
        500,
      ),
  },
  {
    name: 'nothing-there',
    start: (front) =>
      askInTurn(front, [
        { path: `/${'a/'.repeat(2000)}` },
        { path: '/nothing' },
        { method: 'OPTIONS', path: '/api/products' },
        { method: 'DELETE', path: '/api/products' },
        { path: '/api/products/%ff' },
      ]),
  },
  {
    name: 'heads',
    start: (front) => hammer(front, { bodiless: true, next: () => headOfList }),
  },
]

const headOfList = requestBytes({ method: 'HEAD', path: '/api/products?limit=200' })

function askInTurn(front: Front, requests: RequestParts[], perSecond?: number): void {
  const bytes = requests.map(requestBytes)
  hammer(front, {
    ...(perSecond !== undefined && { perSecond }),
    next: (turn) => bytes[turn % bytes.length] ?? Buffer.alloc(0),
  })
}
