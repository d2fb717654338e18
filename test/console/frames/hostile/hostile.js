/** Tries what a panel must not reach, and writes what came of it. */
const outside = [
  '/console',
  '/graphql',
  'api/entities',
  '/api/../console',
  '/api/%2e%2e/console',
  '/api/%61uth/login',
  '//elsewhere.test/api/entities',
]
const maxRequests = 20

function nameOf(error) {
  return error.name
}

function tried(act) {
  try {
    return `${act()}`
  } catch (error) {
    return nameOf(error)
  }
}

async function askedThrough(panel) {
  const burst = Array.from({ length: maxRequests + 1 }, () => panel.request('GET', '/api/entities'))
  const statuses = (await Promise.all(burst)).map(({ status }) => status)
  const refused = await Promise.all(outside.map((path) => panel.request('GET', path)))
  const credentials = { userName: 'boss', password: 'Admin@123' }
  const ofTokens = [
    '/api/auth/login',
    '/api/./auth/refresh',
    `/api/users/${panel.user.id}/impersonate`,
    '/api/api-keys',
    '/api/webhooks/./portal-sessions?x',
  ]
  const tokens = await Promise.all(ofTokens.map((path) => panel.request('POST', path, credentials)))
  const circle = {}
  circle.circle = circle
  for (let times = 0; times < 100; times++) panel.goTo('/')
  return {
    circle: (await panel.request('POST', '/api/tickets', circle)).status,
    admitted: statuses.filter((status) => status === 200).length,
    refused: statuses.filter((status) => status === 429).length,
    outside: refused.map(({ status }) => status),
    method: (await panel.request('CONNECT', '/api/entities')).status,
    tokens: tokens.map(({ status }) => status),
    told: JSON.stringify(panel),
  }
}

async function report() {
  const found = {
    origin: self.origin,
    inline: document.documentElement.dataset.inline ?? 'blocked',
    storage: tried(() => localStorage.length),
    session: tried(() => sessionStorage.length),
    cookie: tried(() => document.cookie),
    parent: tried(() => parent.document.title),
    top: top === self ? null : tried(() => top.location.assign('/health/live')),
    opened: tried(() => window.open('/console')),
    api: await fetch('/api/entities').then(() => 'read', nameOf),
    elsewhere: await fetch('https://elsewhere.test/').then(() => 'sent', nameOf),
  }
  const asked = parent === self ? {} : await tenantry.connect().then(askedThrough)
  document.getElementById('report').textContent = JSON.stringify({ ...found, ...asked })
}

void report()
