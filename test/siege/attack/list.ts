/** Lists and searches of REST. */
import { randomBytes, randomUUID } from 'node:crypto'
import { encodeCursor } from '../../../src/core/page.ts'
import { bearer, requestBytes, tenantHeader } from '../../support/http/request-bytes.ts'
import type { Attack, Front } from '../front.ts'
import { hammer } from '../hammer.ts'

export const listAttacks: Attack[] = [
  { name: 'searches', start: search },
  { name: 'whole-lists', start: (front) => hammerList(front, () => '/api/products') },
  { name: 'whole-active', start: (front) => hammerList(front, () => '/api/products/active') },
  { name: 'long-pages', start: (front) => hammerList(front, () => '/api/products?limit=200') },
  { name: 'waiting-pages', start: askForManyPages },
  { name: 'random-cursors', start: (front) => hammerList(front, cursorPath) },
  { name: 'admin-lists', start: readAsAdmin },
]

/** Terms that match nothing: every row is looked at. */
function search(front: Front): void {
  const headers = bearer(front.target.filled.user)
  hammer(front, {
    next: () => requestBytes({ path: `/api/products/search/${randomUUID()}`, headers }),
  })
}

function hammerList(front: Front, path: () => string): void {
  const headers = { ...tenantHeader(front.target.filled), ...bearer(front.target.filled.user) }
  hammer(front, { next: () => requestBytes({ path: path(), headers }) })
}

/** Many large pages are being made at once. */
function askForManyPages(front: Front): void {
  const headers = tenantHeader(front.target.filled)
  const request = requestBytes({ path: '/api/products?limit=200', headers })
  hammer(front, { connections: 600, next: () => request })
}

/** Before all rows, so that the page is full; no two are alike. */
function cursorPath(): string {
  const cursor = encodeCursor(`00000000-0000-7000-8000-${randomBytes(6).toString('hex')}`)
  return `/api/products?limit=200&cursor=${cursor}`
}

function readAsAdmin(front: Front): void {
  const headers = bearer(front.target.hostile.admin)
  const nobody = randomUUID()
  const paths = [
    `/api/audit?limit=200&actorId=${nobody}`,
    '/api/users?limit=200',
    '/api/webhooks/deliveries?limit=200&eventType=no.such',
    '/api/webhooks/receipts?limit=200&status=DEAD',
    '/api/orders?limit=200&status=CANCELLED',
    '/api/tenants',
  ]
  const requests = paths.map((path) => requestBytes({ path, headers }))
  hammer(front, { next: (turn) => requests[turn % requests.length] ?? Buffer.alloc(0) })
}
