import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { startService, type TestService } from '../../../support/service.ts'

let service: TestService
before(async () => {
  service = await startService('sqlite')
})
after(() => service.stop())

const pages = ['/swagger', '/api-docs', '/graphql/ui']

describe('The reference pages', () => {
  it('may run and ask for nothing but their own', async () => {
    for (const address of pages) {
      const page = await service.anonymous.get(address)
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = page.headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'; script-src 'self'; connect-src 'self'/)
      assert.match(policy, /frame-ancestors 'self';/)
      assert.doesNotMatch(policy, /unsafe|\*|http/)
      assert.doesNotMatch(page.text, /<script>|<style|\son\w+=|https?:/)
    }
  })

  it('are found with a slash behind their address', async () => {
    for (const address of pages) {
      const moved = await service.anonymous.get(`${address}/`)
      assert.equal(moved.status, 308)
      assert.equal(
        new URL(moved.headers.get('location') ?? '', `${service.url}${address}/`).pathname,
        address,
      )
    }
  })

  it('and the document are sent once to a client that keeps them', async () => {
    const files = ['/swagger/swagger-ui-bundle.js', '/swagger/v1/swagger.json', '/graphql/ui/graphiql.js']
    for (const address of [...pages, ...files]) {
      const first = await service.anonymous.get(address)
      const etag = first.headers.get('etag') ?? ''
      const second = await service.anonymous.get(address, { 'if-none-match': etag })
      assert.equal(second.status, 304)
      assert.equal(second.text, '')
    }
  })

  it('are held once for all who do not read them', async () => {
    const address = '/swagger/swagger-ui-bundle.js'
    const { text } = await service.anonymous.get(address)
    const clients = 20
    const port = Number(new URL(service.url).port)
    const bytesBefore = process.memoryUsage().external
    // The kernel takes some megabytes for each.
    const request = `GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(10)
    const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1').pause())
    for (const socket of sockets) socket.write(request)
    const served = async () => {
      const figures = (await service.anonymous.get('/metrics')).text
      const count = /^http_request_duration_seconds_count\{.*swagger-ui-bundle.*\} (\d+)$/m.exec(figures)?.[1]
      return Number(count)
    }
    let lastServed = 0
    await eventually('no more is taken', soonMs, async () => {
      const servedBefore = lastServed
      lastServed = await served()
      await delay(500)
      return lastServed > clients && lastServed === servedBefore
    })
    const held = process.memoryUsage().external - bytesBefore
    for (const socket of sockets) socket.destroy()
    assert.ok(held < (clients * text.length) / 2, `${held} bytes`)
  })

  it('have scripts without an error of types', () => {
    for (const folder of ['assets/reference', 'assets/graphiql']) {
      const compiler = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', folder]
      execFileSync(process.execPath, compiler, { cwd: `${import.meta.dirname}/../../../..`, stdio: 'pipe' })
    }
  })
})
