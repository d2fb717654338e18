/** The brand of a tenant: logos as files, computed colours, where its users sign in. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { png, svg, webp } from './picture.ts'

const path = '/api/tenant/brand'

onEitherDatabase('The brand of a tenant', (database) => {
  const mails = new CollectedMails()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    const settings = { BASE_URL: 'https://desk.example/app', BASE_DOMAIN: 'desk.example' }
    service = await startService(database, settings, { mailTransport: mails })
  })
  after(() => service.stop())

  const newTenant = async (members: object = {}) => {
    tenant = await service.newTenant({ ...members })
    return tenant
  }

  const put = (content: Uint8Array, theme = '', type = 'application/octet-stream') =>
    tenant.admin.send('PUT', `${path}/logo${theme}`, content, { 'content-type': type })

  const brandOf = async ({ id }: TestTenant) => (await service.anonymous.get(`${path}?tenant=${id}`)).body

  const read = (address: string, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(address)
    return fetch(`${service.url}${pathname.replace('/app', '')}${search}`, { headers })
  }

  it('is the name and the colours of the service before the tenant has set any', async () => {
    const { id, admin } = await newTenant()
    const { name } = (await admin.get(`/api/tenants/${id}`)).body
    const brand = await brandOf(tenant)
    assert.deepEqual(
      [brand.name, brand.logos, brand.color, brand.signInUrl],
      [name, { light: null, dark: null }, null, `https://desk.example/app/console?tenant=${id}`],
    )
    assert.deepEqual(Object.keys(brand.colors.dark).sort(), [
      ...['accentText', 'focus', 'onSolid', 'solid', 'solidHover', 'tint', 'tintRaised'],
    ])
    assert.equal(brand.colors.light.solid, '#5b5bd6')
  })

  it('has the colours that follow from its own, and an address below its subdomain', async () => {
    const subdomain = uniqueName('org')
    await newTenant({ subdomain })
    for (const [brandColor, text] of [
      ['#ffd400', '#1c2024'],
      ['#0b1f4d', '#ffffff'],
      ['#8a8a8a', '#1c2024'],
    ]) {
      await tenant.admin.put('/api/tenant/settings', { brandColor, brandName: 'Halden' })
      const { name, color, colors, signInUrl } = await brandOf(tenant)
      assert.deepEqual(
        [name, color, colors.light.solid, colors.dark.onSolid],
        ['Halden', brandColor, brandColor, text],
      )
      assert.equal(signInUrl, `https://${subdomain}.desk.example/app/console`)
    }
    await tenant.admin.put('/api/tenant/settings', { brandAccentColor: '#c0262c' })
    assert.equal((await brandOf(tenant)).colors.light.solid, '#c0262c')
  })

  it('is not sent again to a client that has it', async () => {
    await newTenant()
    const address = `${path}?tenant=${tenant.id}`
    const first = await service.anonymous.get(address)
    const tag = { 'if-none-match': first.headers.get('etag') ?? '' }
    assert.equal((await service.anonymous.get(address, tag)).status, 304)
    await tenant.admin.put('/api/tenant/settings', { brandColor: '#ffd400' })
    assert.equal((await service.anonymous.get(address, tag)).status, 200)
    assertError(await service.anonymous.get(`${path}?tenant=nobody`), 404, /no such tenant/)
  })

  it('has a logo as a file, whose address changes with it, and one for dark pages', async () => {
    await newTenant()
    const [first, second] = [png(8, 8), png(512, 512)]
    const set = await put(first)
    assert.equal(set.status, 200, set.text)
    const { light } = set.body.logos
    const known = `https://desk.example/app/api/tenant/brand/logo?tenant=${tenant.id}&v=`
    assert.ok(light.startsWith(known), light)
    const reply = await read(light)
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), first)
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-content-type-options', 'cross-origin-resource-policy'].map(
        (name) => reply.headers.get(name),
      ),
      ['image/png', 'public, max-age=31536000, immutable', 'nosniff', 'cross-origin'],
    )
    assert.equal((await read(light, { 'if-none-match': reply.headers.get('etag') ?? '' })).status, 304)
    const changed = (await put(second)).body.logos.light
    assert.notEqual(changed, light)
    assert.equal((await read(light)).headers.get('cache-control'), 'private, no-cache')
    assert.deepEqual(Buffer.from(await (await read(light)).arrayBuffer()), second)

    const dark = (await put(webp('VP8X', 64, 64), '/dark')).body.logos.dark
    assert.equal((await read(dark)).headers.get('content-type'), 'image/webp')
    assert.equal((await tenant.admin.delete(`${path}/logo`)).status, 204)
    assert.deepEqual((await brandOf(tenant)).logos, { light: null, dark })
    assertError(await tenant.admin.delete(`${path}/logo`), 404, /no such logo/)
    assert.equal((await read(changed)).status, 404)
  })

  it('takes PNG, WebP and SVG by their bytes, whatever they are called', async () => {
    await newTenant()
    const accepted: [Buffer, string][] = [
      [png(1, 512), 'image/png'],
      [webp('VP8 ', 512, 1), 'image/webp'],
      [webp('VP8L', 512, 512), 'image/webp'],
      [svg(), 'image/svg+xml'],
      [svg('width="120.5" height="40px"'), 'image/svg+xml'],
      [
        Buffer.from(`\ufeff<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg>${svg('width="100%"')}`),
        'image/svg+xml',
      ],
    ]
    for (const [content, type] of accepted) {
      const set = await put(content, '', 'text/plain')
      assert.equal(set.status, 200, `${type}: ${set.text}`)
      assert.equal((await read(set.body.logos.light)).headers.get('content-type'), type)
    }
  })

  it('refuses what is no such picture, is broken or too large, and keeps the former one', async () => {
    await newTenant()
    const former = (await put(png(8, 8))).body.logos.light
    const whole = png(8, 8)
    const refused: [Buffer, RegExp][] = [
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), /must be a PNG, WebP or SVG/],
      [Buffer.from('GIF89a'), /must be a PNG, WebP or SVG/],
      [Buffer.from('<!doctype html><p>'), /well-formed/],
      [Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"/>'), /must be a PNG, WebP or SVG/],
      [Buffer.from('<svg/>'), /must be a PNG, WebP or SVG/],
      [Buffer.from(svg().toString().slice(0, -3)), /well-formed/],
      [Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg()}`), /declares entities/],
      [whole.subarray(0, 20), /has no header/],
      [whole.subarray(0, whole.length - 15), /ends too early/],
      [webp('VP8X', 8, 8).subarray(0, 35), /ends too early/],
      [png(513, 8), /at most 512 × 512 pixels/],
      [webp('VP8L', 8, 513), /at most 512 × 512 pixels/],
      [webp('VP8 ', 0, 8), /has no size/],
      [svg('width="513"'), /at most 512 × 512 pixels/],
      [svg('width="10cm"'), /size in pixels/],
      [Buffer.alloc(0), /must be a PNG, WebP or SVG/],
    ]
    for (const [content, reason] of refused) assertError(await put(content, '', 'image/png'), 400, reason)
    assertError(await put(png(8, 8, 201_000)), 413, /too large/)
    assert.equal((await put(png(8, 8, 199_000), '/dark')).status, 200)
    assert.equal((await brandOf(tenant)).logos.light, former)
  })

  it('serves a script in an SVG so that no browser runs it', async () => {
    await newTenant()
    const set = await put(svg('onload="alert(1)"', '<script>alert(2)</script>'))
    const reply = await read(set.body.logos.light)
    assert.equal(reply.headers.get('content-type'), 'image/svg+xml')
    assert.equal(reply.headers.get('content-security-policy'), "sandbox; default-src 'none'")
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  })

  it('is changed by those who change settings, and the audit and the events say so', async () => {
    await newTenant()
    const headers = { 'content-type': 'image/png' }
    const reason = /requires the permission setting:write/
    assertError(await tenant.user.send('PUT', `${path}/logo`, png(8, 8), headers), 403, reason)
    assertError(await tenant.user.delete(`${path}/logo`), 403, reason)
    assertError(await service.anonymous.send('PUT', `${path}/logo`, png(8, 8), headers), 401, /token/)
    await put(png(8, 8))
    await put(png(8, 8))
    await tenant.admin.delete(`${path}/logo`)
    const { body } = await tenant.admin.get('/api/audit?action=tenant.configured')
    const details = body.map(({ detail }: { detail: { brandLogo: object } }) => detail.brandLogo)
    const sha256 = details[0].before
    assert.match(sha256, /^[0-9a-f]{64}$/)
    assert.deepEqual(details, [
      { before: sha256, after: null },
      { before: null, after: sha256 },
    ])
  })

  it('has a logo at an https address, or on loopback, where development has it', async () => {
    await newTenant()
    const set = (brandLogoUrl: string) => tenant.admin.put('/api/tenant/settings', { brandLogoUrl })
    for (const address of ['http://localhost:5173/logo.svg', 'http://127.0.0.1/a', 'http://acme.localhost']) {
      assert.equal((await set(address)).status, 200, address)
      assert.equal((await brandOf(tenant)).logos.light, address)
    }
    for (const address of [
      ...['http://cdn.example/logo.svg', 'http://localhost.example/a', 'http://localhost@cdn.example/a'],
      ...['https://cdn.example:port/a', 'http://localhost:port', 'https://[::1/a', 'data:image/png,x'],
    ])
      assertError(await set(address), 400, /brandLogoUrl: must be an address/)
  })

  it('is on the pages and in the mails of the tenant: the stored logo comes before an address', async () => {
    await newTenant()
    const brandLogoUrl = 'https://cdn.example/logo.svg'
    await tenant.admin.put('/api/tenant/settings', { brandLogoUrl, brandColor: '#8a8a8a' })
    const pageOf = async () => {
      const address = `/account/forgot-password?tenant=${tenant.id}`
      const reply = await fetch(`${service.url}${address}`, {
        headers: { accept: 'text/html', ...fromAnyAddress() },
      })
      return { text: await reply.text(), policy: reply.headers.get('content-security-policy') ?? '' }
    }
    const mailOf = async () => {
      const email = `${uniqueName('guest')}@example.com`
      await tenant.admin.post('/api/invitations', { email })
      const sent = () => mails.list().find(({ to }) => to === email)
      await eventually('the mail', soonMs, async () => sent() !== undefined)
      return sent()?.html ?? ''
    }
    assert.ok((await mailOf()).includes(`<img src="${brandLogoUrl}"`))
    const { light } = (await put(png(8, 8))).body.logos
    const { dark } = (await put(svg(), '/dark')).body.logos
    const [shown, shownDark] = [light, dark].map((address: string) => address.replace('&', '&amp;'))
    const { text, policy } = await pageOf()
    assert.ok(
      text.includes(`<source srcset="${shownDark}" media="(prefers-color-scheme: dark)"><img src="${shown}"`),
    )
    assert.match(policy, /img-src https:\/\/desk\.example;/)
    assert.match(text, /--solid: #8a8a8a; --on-solid: #1c2024;/)
    const html = await mailOf()
    assert.ok(html.includes(`<img src="${shown}"`) && !html.includes(brandLogoUrl))
    assert.match(html, /background:#8a8a8a;color:#1c2024/)
    await put(svg())
    assert.ok(!(await mailOf()).includes('<img'), 'mail programs show no SVG')
  })
})
