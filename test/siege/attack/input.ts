/** Large and malformed input. */
import { randomUUID } from 'node:crypto'
import { bearer, type RequestParts, requestBytes, tenantHeader } from '../../support/http/request-bytes.ts'
import type { Attack, Front } from '../front.ts'
import { hammer } from '../hammer.ts'

const mebibyte = 1024 * 1024
/** A little less than a body may have. */
const largeBytes = mebibyte - 2000

export const inputAttacks: Attack[] = [
  { name: 'roles-array', start: sendRoles },
  { name: 'large-arrays', start: (front) => sendInTurn(front, largeArrays(front)) },
  { name: 'large-texts', start: (front) => sendInTurn(front, largeTexts(front)) },
  { name: 'deep-bodies', start: (front) => sendInTurn(front, deepBodies(front)) },
  { name: 'large-events', start: sendEvents },
  { name: 'idempotency-keys', start: sendKeys },
]

function sendRoles(front: Front): void {
  const { admin } = front.target.hostile
  sendInTurn(front, [
    {
      method: 'PUT',
      path: `/api/users/${admin.userId}`,
      headers: bearer(admin),
      body: `{"roles":[${zeros(largeBytes)}]}`,
    },
  ])
}

function largeArrays({ target }: Front): RequestParts[] {
  const { admin, user, productIds } = target.hostile
  const item = JSON.stringify({ productId: productIds[0], quantity: 1 })
  const headers = bearer(user)
  return [
    { path: '/api/orders', headers, body: `{"customerId":"c","items":[${repeat(item, largeBytes)}]}` },
    { path: '/api/orders', headers, body: `{"customerId":"c","items":[${zeros(largeBytes)}]}` },
    {
      path: '/api/webhooks/subscriptions',
      headers,
      body: `{"url":"https://example.com","events":[${repeat('"a.b"', largeBytes)}]}`,
    },
    {
      path: '/api/webhooks/subscriptions',
      headers,
      body: `{"url":"https://example.com","events":["*"],"retrySeconds":[${zeros(largeBytes)}]}`,
    },
    {
      path: '/api/users',
      headers: bearer(admin),
      body: `{"userName":"x","roles":[${repeat('"Admin"', largeBytes)}]}`,
    },
    { path: '/api/products', headers, body: `[${zeros(largeBytes)}]` },
    { path: '/graphql', headers, body: `[${repeat('{"query":"{__typename}"}', largeBytes)}]` },
  ]
}

function largeTexts({ target }: Front): RequestParts[] {
  const headers = bearer(target.hostile.user)
  const text = 'x'.repeat(largeBytes)
  const escaped = '\\u0001'.repeat(largeBytes / 6)
  const members = Array.from({ length: 60_000 }, (_each, index) => `"m${index}":0`).join(',')
  return [
    { path: '/api/products', headers, body: `{"name":"${text}","price":1}` },
    { path: '/api/products', headers, body: `{"name":"x","description":"${escaped}","price":1}` },
    { path: '/api/products', headers, body: `{"name":"x","price":${'9'.repeat(largeBytes)}}` },
    { path: '/api/products', headers, body: `{"name":"x","price":1,${members}}` },
    { path: '/api/products', headers, body: `{"name":"${' '.repeat(largeBytes)}","price":1}` },
    { path: '/api/webhooks/subscriptions', headers, body: `{"url":"https://${text}","events":["*"]}` },
    {
      path: '/api/webhooks/subscriptions',
      headers,
      body: `{"url":"x","events":["*"],"headers":{${members}}}`,
    },
    { path: '/api/auth/login', body: `{"userName":"${text}","password":"${text.slice(0, 9)}"}` },
    { path: '/api/auth/refresh', body: `{"refreshToken":"${text}"}` },
    { path: '/graphql', headers: tenantHeader(target.filled), body: `{"query":"{ ${text} }"}` },
    { path: '/graphql', headers: tenantHeader(target.filled), body: `{"query":"${'{'.repeat(99_000)}"}` },
  ]
}

function deepBodies({ target }: Front): RequestParts[] {
  const headers = bearer(target.hostile.user)
  const depth = largeBytes / 2 - 200
  const lists = `${'['.repeat(depth)}${']'.repeat(depth)}`
  const objects = `${'{"a":'.repeat(depth / 4)}0${'}'.repeat(depth / 4)}`
  return [
    { path: '/api/products', headers, body: `{"name":${lists},"price":1}` },
    { path: '/api/products', headers, body: `{"name":${objects},"price":1}` },
    {
      path: '/api/events',
      headers,
      body: `{"type":"own.deep","data":${'{"a":'.repeat(20_000)}0${'}'.repeat(20_001)}`,
    },
    { path: '/graphql', headers, body: `{"query":"{__typename}","variables":{"a":${lists}}}` },
    { path: '/api/products', headers, body: '['.repeat(largeBytes) },
    {
      path: '/api/products',
      headers,
      body: `{"__proto__":${'{"constructor":'.repeat(1000)}0${'}'.repeat(1001)}`,
    },
  ]
}

function sendEvents(front: Front): void {
  const data = { text: 'x'.repeat(250 * 1024) }
  const request = requestBytes({
    path: '/api/events',
    headers: bearer(front.target.hostile.user),
    body: { type: 'own.large', data },
  })
  hammer(front, { connections: 8, perSecond: 50, next: () => request })
}

/** Each key is a row that is kept for a day. */
function sendKeys(front: Front): void {
  const headers = bearer(front.target.hostile.user)
  hammer(front, {
    perSecond: 300,
    next: () =>
      requestBytes({
        path: '/api/products',
        headers: { ...headers, 'idempotency-key': randomUUID() },
        body: { name: 'Keyed', price: 1 },
      }),
  })
}

/** Large bodies: what the generator and the kernel do for more of them would be what is measured. */
function sendInTurn(front: Front, requests: RequestParts[]): void {
  const bytes = requests.map(requestBytes)
  hammer(front, {
    connections: 8,
    perSecond: 20,
    next: (turn) => bytes[turn % bytes.length] ?? Buffer.alloc(0),
  })
}

function zeros(bytes: number): string {
  return repeat('0', bytes)
}

function repeat(item: string, bytes: number): string {
  return Array(Math.floor(bytes / (item.length + 1)) - 50)
    .fill(item)
    .join(',')
}
