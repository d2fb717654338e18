/** How each route is called for rows of another tenant. A new route that names rows needs its line here. */

import type { Feature } from '../../src/core/feature/feature.ts'
import type { Route } from '../../src/core/feature/route.ts'
import { ListParameters } from '../../src/core/page.ts'
import { entitiesOf } from '../support/entity-rows.ts'
import type { Names } from '../support/names.ts'
import { uniqueName } from '../support/service.ts'
import { entityRecipes } from './entity-recipes.ts'
import { hostRecipes } from './host-recipes.ts'
import type { Recipe } from './recipe.ts'

const user = { email: 'a@example.com', password: 'Admin@123', firstName: 'A', lastName: 'B' }
const subscription = { url: 'http://127.0.0.1:9/mine', events: ['*'] }
const byRole: Recipe = { path: (names) => ({ name: names.role }) }
const byUser: Recipe = { path: (names) => ({ id: names.user }) }
const byTenant: Recipe = { path: (names) => ({ id: names.tenant }) }
const byDelivery: Recipe = { path: (names) => ({ id: names.delivery }) }
const byFile: Recipe = { path: (names) => ({ id: names.file }) }
const bySubscription: Recipe = { path: (names) => ({ id: names.subscription }) }
const byPortal: Recipe = { path: (names) => ({ id: names.portal }) }
const byProvider: Recipe = { path: (names) => ({ provider: names.provider }) }
const byRule: Recipe = { path: (names) => ({ id: names.rule }) }
const byReceipt: Recipe = { path: (names) => ({ id: names.receipt }) }
const byDomain: Recipe = { path: (names) => ({ domain: names.domain }) }
const byPasskey: Recipe = { path: (names) => ({ id: names.passkey }) }
const byView: Recipe = { path: (names) => ({ id: names.view }) }
const byJob: Recipe = { path: (names) => ({ id: names.job }) }
const logo = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const inTenant = (names: Names) => ({ tenantId: names.tenant })

/** Every field is tried in test/isolation/graphql.test.ts. */
const askFor = (names: Names) =>
  `{ product(id: "${names.product}") { name } order(id: "${names.order}") { customerId } products { name } }`

/** By method and path. */
const written: Record<string, Recipe> = {
  ...hostRecipes,
  'GET /api/tenants': { query: (names) => ({ search: names.tenant }) },
  'GET /api/tenants/:id': byTenant,
  'GET /api/tenants/:id/database': byTenant,
  'POST /api/tenants': { body: (names) => ({ id: names.tenant, name: 'Mine', subdomain: names.subdomain }) },
  'PUT /api/tenants/:id': { ...byTenant, body: () => ({ name: 'Mine' }) },
  'DELETE /api/tenants/:id': byTenant,

  'GET /api/tenant/brand': { showsBrand: true },
  'PUT /api/tenant/brand/logo': { body: () => logo },
  'PUT /api/tenant/brand/logo/dark': { body: () => logo },
  'GET /api/tenant/brand/logo': { showsBrand: true, query: () => ({ v: 'x' }) },
  'GET /api/tenant/brand/logo/dark': { query: () => ({ v: 'x' }) },
  'PUT /api/tenant/settings': { body: () => ({ brandName: 'Mine' }) },

  'PUT /api/preferences/:name': {
    path: () => ({ name: 'Mine' }), // the version of one that is set tells how often it was set
    body: (names) => ({ value: names.product }),
  },
  'DELETE /api/preferences/:name': { path: () => ({ name: 'columns.nothing' }) },

  'GET /api/views': { query: () => ({ entity: 'product' }) },
  'GET /api/views/:id': byView,
  'POST /api/views': { body: () => ({ name: 'Mine', entity: 'product' }) },
  'PATCH /api/views/:id': { ...byView, body: () => ({ name: 'Mine' }) },
  'DELETE /api/views/:id': byView,

  'GET /api/users': { query: inTenant },
  'GET /api/users/:id': byUser,
  'GET /api/users/by-username/:userName': {
    path: (names) => ({ userName: names.userName }),
    query: inTenant,
  },
  'POST /api/users': { body: (names) => ({ ...user, ...inTenant(names), userName: 'intruder' }) },
  'PUT /api/users/:id': { ...byUser, body: () => ({ lastName: 'Mine' }) },
  'PUT /api/users/me/password': { body: () => ({ currentPassword: 'Wrong@123', newPassword: 'Other@123' }) },
  'DELETE /api/users/:id': byUser,
  'GET /api/users/:id/sessions': byUser,
  'DELETE /api/users/:id/sessions': byUser,
  'DELETE /api/users/:id/sessions/:sessionId': {
    path: (names) => ({ id: names.user, sessionId: names.session }),
  },
  'POST /api/users/:id/impersonate': { ...byUser, body: () => ({ reason: 'Mine' }) },

  'GET /console/assets/:name': { path: () => ({ name: 'main.js' }) },
  'GET /api/entities': { query: () => ({ language: 'de' }) },
  'GET /api/tenant/settings/definitions': { query: () => ({ language: 'de' }) },
  'GET /api/audit/actions': { query: () => ({ language: 'de' }) },
  'GET /api/permissions': { query: () => ({ language: 'de' }) },
  'GET /api/webhooks/event-types': { query: () => ({ language: 'de' }) },

  'POST /api/roles': { body: () => ({ name: uniqueName('Mine'), permissions: [] }) },
  'GET /api/roles/:name': byRole,
  'PUT /api/roles/:name': { ...byRole, body: () => ({ permissions: [] }) },
  'DELETE /api/roles/:name': byRole,

  'POST /api/auth/login': { body: (names) => ({ userName: names.userName, password: 'Wrong@123' }) },
  'POST /api/auth/refresh': { body: () => ({ refreshToken: 'x'.repeat(43) }) },
  'POST /api/auth/logout': { body: ({ refreshToken }) => ({ refreshToken }), endsSession: true },
  'POST /api/auth/step-up': { body: () => ({ password: 'Wrong@123' }) },
  'POST /api/auth/mfa/totp/confirm': { body: () => ({ code: '123456' }) },
  'POST /api/auth/mfa/verify': { body: () => ({ token: 'x'.repeat(43), code: '123456' }) },
  'POST /api/auth/mfa/enroll': { body: () => ({ token: 'x'.repeat(43) }) },
  'POST /api/auth/mfa/enroll/confirm': { body: () => ({ token: 'x'.repeat(43), code: '123456' }) },
  'DELETE /api/users/:id/mfa': byUser,
  'POST /api/users/:id/password-reset': byUser,
  'POST /api/auth/passkeys': {
    body: () => ({
      name: 'Mine',
      response: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'eyJjaGFsbGVuZ2UiOiJBQUFBIn0', attestationObject: 'AAAA' },
      },
    }),
  },
  'PUT /api/auth/passkeys/:id': { ...byPasskey, body: () => ({ name: 'Mine' }) },
  'DELETE /api/auth/passkeys/:id': byPasskey,
  'POST /api/auth/passkeys/request-options': {},
  'POST /api/auth/passkeys/sign-in': {
    body: () => ({
      response: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: {
          clientDataJSON: 'eyJjaGFsbGVuZ2UiOiJBQUFBIn0',
          authenticatorData: 'AAAA',
          signature: 'AAAA',
        },
      },
    }),
  },
  'DELETE /api/auth/sessions/:id': { path: (names) => ({ id: names.session }) },

  'GET /api/auth/sso/:tenant/start': {
    path: (names) => ({ tenant: names.tenant }),
    query: () => ({ returnTo: '/account/sso', codeChallenge: 'x'.repeat(43) }),
  },
  'GET /api/auth/sso/callback': { query: () => ({ state: 'x.x', code: 'x' }) },
  'POST /api/auth/sso/sign-out': { body: () => ({ returnTo: '/' }), endsSession: true },
  'GET /api/auth/sso/signed-out': { query: () => ({ state: 'x.x' }) },
  'POST /api/auth/sso/:tenant/backchannel-logout': { path: (names) => ({ tenant: names.tenant }) },
  'POST /api/auth/token': { body: () => ({ code: 'x'.repeat(43), codeVerifier: 'x'.repeat(43) }) },
  'GET /account/sign-in': {
    showsBrand: true,
    query: () => ({ returnTo: '/', codeChallenge: 'x'.repeat(43) }),
  },
  'POST /account/sign-in': {
    showsBrand: true,
    query: () => ({ returnTo: '/', codeChallenge: 'x'.repeat(43) }),
  },
  'GET /account/forgot-password': { showsBrand: true },
  'POST /account/forgot-password': { showsBrand: true },
  'GET /account/reset-password': { showsBrand: true, query: () => ({ token: 'x'.repeat(43) }) },
  'POST /account/reset-password': { showsBrand: true, query: () => ({ token: 'x'.repeat(43) }) },
  'GET /account/accept-invitation': { showsBrand: true, query: () => ({ token: 'x'.repeat(43) }) },
  'POST /account/accept-invitation': { showsBrand: true, query: () => ({ token: 'x'.repeat(43) }) },
  'GET /account/verify': { showsBrand: true, query: () => ({ token: 'x'.repeat(43) }) },
  'POST /account/verify': { showsBrand: true, query: () => ({ token: 'x'.repeat(43) }) },
  'GET /account/sign-up': { showsBrand: true },
  'POST /account/sign-up': { showsBrand: true },
  'GET /account/verify-sign-up': { showsBrand: true, query: () => ({ token: 'x'.repeat(43) }) },
  'POST /account/verify-sign-up': { showsBrand: true, query: () => ({ token: 'x'.repeat(43) }) },
  'POST /api/auth/sign-up': {
    body: (names) => ({ ...user, userName: 'intruder', tenantName: 'Mine', subdomain: names.subdomain }),
  },
  'POST /api/auth/sign-up/verify': { body: () => ({ token: 'x'.repeat(43), password: 'Admin@123' }) },
  'GET /api/sign-ups': { query: () => ({ sort: 'email' }) },
  'GET /api/sign-ups/:id': { path: (names) => ({ id: names.invitation }) },
  'POST /api/sign-ups/:id/approve': { path: (names) => ({ id: names.invitation }) },
  'POST /api/sign-ups/:id/reject': { path: (names) => ({ id: names.invitation }) },
  'PUT /api/users/me/email': { body: () => ({ email: `${uniqueName('mine')}@example.com` }) },
  'POST /api/auth/verify-email': { body: () => ({ token: 'x'.repeat(43) }) },
  'POST /api/invitations': { body: () => ({ email: `${uniqueName('mine')}@example.com` }) },
  'GET /api/invitations': { query: () => ({ invitedBy: 'boss' }) },
  'GET /api/invitations/:id': { path: (names) => ({ id: names.invitation }) },
  'DELETE /api/invitations/:id': { path: (names) => ({ id: names.invitation }) },
  'POST /api/invitations/accept': {
    body: () => ({ ...user, email: undefined, userName: 'intruder', token: 'x'.repeat(43) }),
  },
  'POST /api/auth/forgot-password': { body: (names) => ({ userName: names.userName }) },
  'POST /api/auth/reset-password': { body: () => ({ token: 'x'.repeat(43), password: 'Other@123' }) },
  'PUT /api/tenant/sso': {
    body: () => ({ issuer: 'https://10.0.0.1', clientId: 'mine', clientSecret: 'mine' }),
  },
  'POST /api/tenant/sso/client-keys': { body: () => ({ algorithm: 'ES256' }) },
  'POST /api/tenant/sso/client-keys/:id/activate': { path: () => ({ id: 'x'.repeat(43) }) },
  'GET /api/auth/sso/:tenant/jwks.json': { path: (names) => ({ tenant: names.tenant }) },
  'POST /api/tenant/sso/domains': { body: () => ({ domain: `${uniqueName('mine')}.example` }) },
  'POST /api/tenant/sso/domains/:domain/verify': byDomain,
  'DELETE /api/tenant/sso/domains/:domain': byDomain,

  'POST /api/api-keys': { body: () => ({ name: 'Mine', permissions: ['order:read'] }) },
  'GET /api/api-keys': { query: () => ({ sort: 'name' }) },
  'GET /api/api-keys/:id': { path: (names) => ({ id: names.apiKey }) },
  'DELETE /api/api-keys/:id': { path: (names) => ({ id: names.apiKey }) },

  'GET /api/audit': { query: (names) => ({ actorId: names.user, subjectId: names.tenant, limit: '200' }) },
  'GET /api/audit/all': { query: (names) => ({ tenantId: names.tenant, subjectId: names.user }) },
  'POST /api/init/first-admin': {
    body: (names) => ({ ...user, userName: names.userName, email: names.email }),
  },
  'GET /api/search': { query: (names) => ({ q: names.product }) },
  'GET /graphql': { query: (names) => ({ query: askFor(names) }) },
  'POST /graphql': { body: (names) => ({ query: askFor(names) }) },

  'GET /api/products/active': { query: (names) => ({ categoryId: names.rows['category'] ?? '' }) },
  'GET /api/products/search/:name': { path: (names) => ({ name: names.productName }) },
  'GET /api/orders': { query: (names) => ({ customerId: names.customer }) },

  'POST /api/files': { query: () => ({ name: 'mine.txt' }), body: () => 'mine' },
  'GET /api/files/:id': byFile,
  'GET /api/files/:id/link': byFile,
  'DELETE /api/files/:id': byFile,
  'GET /files/:id': { ...byFile, query: () => ({ expires: '99999999999', signature: 'mine' }) },

  'GET /api/webhooks/subscriptions': { query: (names) => ({ customer: names.customer }) },
  'GET /api/webhooks/subscriptions/:id': bySubscription,
  'POST /api/webhooks/subscriptions': { body: (names) => ({ id: names.subscription, ...subscription }) },
  'POST /api/v1/webhooks': { body: (names) => ({ id: names.subscription, ...subscription }) },
  'PATCH /api/webhooks/subscriptions/:id': { ...bySubscription, body: () => ({ isActive: false }) },
  'DELETE /api/webhooks/subscriptions/:id': bySubscription,
  'POST /api/webhooks/subscriptions/:id/rotate-secret': {
    ...bySubscription,
    body: () => ({ overlapHours: 0 }),
  },
  'POST /api/webhooks/subscriptions/:id/test': bySubscription,
  'POST /api/webhooks/subscriptions/:id/recover': {
    ...bySubscription,
    body: () => ({ since: '2020-01-01T00:00:00.000Z' }),
  },
  'GET /api/webhooks/subscriptions/:id/deliveries': bySubscription,
  'GET /api/webhooks/subscriptions/:id/health': bySubscription,
  'GET /api/webhooks/deliveries': { query: (names) => ({ subscriptionId: names.subscription }) },
  'GET /api/webhooks/deliveries/:id': byDelivery,
  'POST /api/webhooks/deliveries/:id/replay': byDelivery,
  'POST /api/webhooks/portal-sessions': { body: () => ({ origins: ['https://mine.example'] }) },
  'GET /api/webhooks/portal-sessions': { query: () => ({ readOnly: 'true' }) },
  'GET /api/webhooks/portal-sessions/:id': byPortal,
  'DELETE /api/webhooks/portal-sessions/:id': byPortal,
  'GET /console/embed/:id': byPortal,
  'GET /console/embed/:id/*': byPortal,
  'POST /api/webhooks/receive/:provider': { path: (names) => ({ provider: names.provider }) },
  'GET /api/webhooks/providers': { query: (names) => ({ provider: names.provider }) },
  'GET /api/webhooks/providers/:provider': byProvider,
  'PUT /api/webhooks/providers/:provider': { ...byProvider, body: () => ({ toleranceSeconds: 1 }) },
  'DELETE /api/webhooks/providers/:provider': byProvider,
  'GET /api/webhooks/rules': { query: (names) => ({ provider: names.provider }) },
  'GET /api/webhooks/rules/:id': byRule,
  'POST /api/webhooks/rules': {
    body: (names) => ({ id: names.rule, provider: 'mine', eventType: '*', action: 'log' }),
  },
  'PATCH /api/webhooks/rules/:id': { ...byRule, body: () => ({ isActive: false }) },
  'DELETE /api/webhooks/rules/:id': byRule,
  'POST /api/webhooks/rules/:id/dry-run': { ...byRule, body: (names) => ({ receiptId: names.receipt }) },
  'GET /api/webhooks/receipts': { query: (names) => ({ provider: names.provider }) },
  'GET /api/webhooks/receipts/:id': byReceipt,
  'POST /api/webhooks/receipts/:id/replay': byReceipt,
  'POST /api/live': { body: () => ({ lists: { told: { on: 'product.created' } } }) },
  'GET /api/jobs': { query: () => ({ name: 'work.do' }) },
  'GET /api/jobs/:id': byJob,
  'POST /api/jobs/:id/retry': byJob,

  'GET /api/mails': { query: () => ({ template: 'test.greet' }) },
  'GET /api/mails/:id': { path: (names) => ({ id: names.mail }) },
  'GET /api/mails/:id/content': { path: (names) => ({ id: names.mail }) },
  'POST /api/mails/retry': { body: () => ({ error: 'e' }) },
  'POST /api/mails/:id/retry': { path: (names) => ({ id: names.mail }) },
  'POST /api/events': { body: (names) => ({ type: 'mine.happened', data: { id: names.product } }) },
}

/** The reference pages, the console, and their files, and what no feature has: no parameter of theirs names rows. */
const page = /^GET \/((swagger|api-docs|graphql\/ui|console)(\/[\w./:*-]*)?)?$/
const probes = /^GET \/(health|health\/live|health\/ready|healthz|ready|metrics)$/

/** @returns a function of a route, e.g. `GET /api/products/:id`; HEAD is tried like GET. `null`: it is not known */
export function recipesOf(features: readonly Feature[]): (route: string) => Recipe | null {
  const plain = features.flatMap(({ routes = [] }) => routes).filter(takesNothing)
  const known: Record<string, Recipe> = {
    ...Object.fromEntries(plain.map(({ method, path }) => [`${method} ${path}`, {}])),
    ...entityRecipes(entitiesOf(features)),
    ...written,
  }
  return (route) => {
    const name = route.replace(/^HEAD /, 'GET ')
    return known[name] ?? (page.test(name) || probes.test(name) ? {} : null)
  }
}

/** Which names rows: the parameters of every list do not. */
function takesNothing({ path, query, body, rawBody, streamedBody }: Route): boolean {
  const { properties = {} } = (query ?? {}) as { properties?: object } // of JSON Schema
  const names = Object.keys(properties).filter((name) => !Object.hasOwn(ListParameters, name))
  return [path.includes(':'), names.length > 0, body, rawBody, streamedBody].every(
    (part) => part === false || part === undefined,
  )
}
