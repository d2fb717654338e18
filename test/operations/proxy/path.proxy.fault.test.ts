/** The service below a path behind nginx, which passes the path on or takes it off. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from '../../support/client.ts'
import { freePort } from '../../support/free-port.ts'
import { RawSocket } from '../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { proxies, type RunningProxy, startProxy } from './proxy.ts'

const path = '/shop/backend'
const nginx = proxies.filter(({ program }) => program === 'nginx')
const ways = [
  ['passes it on', ''],
  ['takes it off', '/'],
] as const

for (const proxy of nginx)
  for (const [way, ending] of ways)
    describe(`The service below a path behind ${proxy.program}, which ${way}`, () => {
      let service: TestService
      let tenant: TestTenant
      let behind: RunningProxy
      before(async () => {
        const port = await freePort()
        const url = `http://127.0.0.1:${port}${path}`
        service = await startService('sqlite', { BASE_URL: url, TRUST_PROXY: 'loopback' })
        tenant = await service.newTenant()
        const edit = (file: string) =>
          file
            .replace('location / {', `location ${path}/ {`)
            .replace('proxy_pass http://tenantry;', `proxy_pass http://tenantry${ending};`)
            .replace('location = /api/files', `location = ${path}/api/files`)
            .replace(/location \/metrics/, `location ${path}/metrics`)
        behind = await startProxy(proxy, service.url, { port, edit })
      })
      after(async () => {
        await behind[Symbol.asyncDispose]()
        await service.stop()
      })

      const at = (address: string) => new URL(address, behind.url).href.slice(behind.url.length)

      it('gives addresses that lead through the proxy', async () => {
        const admin = new Client(behind.url, tenant.admin.headers)
        const made = await admin.post(`${path}/api/products`, { name: 'Desk', price: 1 })
        assert.equal(made.status, 201, made.text)
        await admin.post(`${path}/api/products`, { name: 'Chair', price: 1 })
        assert.equal((await admin.get(at(made.headers.get('location') ?? ''))).body.name, 'Desk')
        const { headers } = await admin.get(`${path}/api/products?limit=1`)
        const [, next = ''] = /<([^>]+)>/.exec(headers.get('link') ?? '') ?? []
        assert.equal((await admin.get(at(next))).body[0].name, 'Chair')
        const issued = await admin.get(`${path}/.well-known/openid-configuration`)
        assert.equal((await admin.get(at(issued.body.jwks_uri))).status, 200)
      })

      it('shows the console and its files', async () => {
        const first = await fetch(`${behind.url}${path}/`, { headers: { accept: 'text/html' } })
        assert.equal(new URL(first.url).pathname, `${path}/console`)
        const [, script = ''] = /src="([^"]+)"/.exec(await first.text()) ?? []
        assert.equal((await fetch(new URL(script, first.url))).status, 200)
      })

      it('takes files, and WebSockets for pages of its origin', async () => {
        const admin = new Client(behind.url, tenant.admin.headers)
        const headers = { 'content-type': 'text/plain' }
        const stored = await admin.send('POST', `${path}/api/files?name=a.txt`, Buffer.from('text'), headers)
        assert.equal(stored.status, 201, stored.text)
        const { body } = await admin.get(`${path}/api/files/${stored.body.id}/link`)
        assert.equal(await (await fetch(body.url)).text(), 'text')
        const { authorization = '' } = tenant.user.headers
        await using socket = await RawSocket.enter(
          behind.url,
          { authorization },
          { path: `${path}/graphql`, headers: { origin: behind.url } },
        )
        assert.equal(socket.socket.readyState, 1)
      })
    })
