/** How the pages and panels of an application are declared, and how their files are sent. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { declaredFrames } from '../../src/console/frame/frame.ts'
import { type ApplicationConsole, consolePage } from '../../src/console/frame/options.ts'
import { icons } from '../../src/core/feature/icons.ts'
import { createService, loadConfig } from '../../src/index.ts'
import { rawRequest, sendRaw } from '../support/http/raw-request.ts'
import { newMasterKey } from '../support/master-key.ts'
import { sharedService, startService, type TestService, usualOptions } from '../support/service.ts'

const root = mkdtempSync(join(tmpdir(), 'tenantry-frames-'))
const folder = join(root, 'panel')
mkdirSync(join(folder, 'parts/.git'), { recursive: true })
mkdirSync(join(root, 'without'))
for (const [path, text] of [
  ['index.html', '<!doctype html><title>Panel</title>'],
  ['parts/chart.js', 'draw()'],
  ['parts/sign.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['.env', 'SECRET=1'],
  ['parts/.git/config', 'secret'],
  ['../secret.txt', 'secret'],
] as const)
  writeFileSync(join(folder, path), text)
symlinkSync(join(root, 'secret.txt'), join(folder, 'linked.txt'))
symlinkSync(root, join(folder, 'above'))
after(() => rmSync(root, { recursive: true }))

const content = consolePage(folder)

describe('Pages and panels of an application', () => {
  let service: TestService
  before(async () => {
    const console: ApplicationConsole = { pages: { workload: { label: 'Workload', icon: 'bell', content } } }
    service = await startService('sqlite', {}, { console })
  })
  after(() => service.stop())

  it('are sent with a policy that isolates them', async () => {
    for (const [path, type] of [
      ['workload/index.html', 'text/html; charset=utf-8'],
      ['workload/parts/chart.js', 'text/javascript; charset=utf-8'],
      ['workload/parts/sign.svg', 'image/svg+xml'],
      ['panel.js', 'text/javascript; charset=utf-8'],
      ['panel.css', 'text/css; charset=utf-8'],
      ['inter.woff2', 'font/woff2'],
    ] as const) {
      const { status, headers } = await fetch(`${service.url}/console/frames/${path}`)
      assert.equal(status, 200, path)
      assert.equal(headers.get('content-type'), type)
      assert.equal(headers.get('x-frame-options'), null)
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
          "connect-src 'none'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-scripts allow-forms",
      )
    }
    const own = await fetch(`${service.url}/console/`)
    assert.equal(own.headers.get('x-frame-options'), 'DENY')
    assert.equal(own.headers.get('access-control-allow-origin'), null)
    assert.match(await own.text(), /<html data-frames /)
  })

  it('are only the files of their folder, without those with a dot and links', async () => {
    for (const path of [
      'workload/.env',
      'workload/parts/.git/config',
      'workload/linked.txt',
      'workload/above/secret.txt',
      'workload/../../../secret.txt',
      'workload/%2e%2e/secret.txt',
      'workload/..%2fsecret.txt',
      'workload/..%5csecret.txt',
      'workload/parts/..%2f..%2f..%2fsecret.txt',
      'workload//etc/passwd',
      'workload/%00',
      'workload/',
      'workload/parts',
      'other/index.html',
      '__proto__/index.html',
    ]) {
      const line = `GET /console/frames/${path}`
      const { status, text } = await sendRaw(service.url, rawRequest(line, ['Host: localhost']))
      assert.ok(status === 404 || status === 400, `${path}: ${status}`)
      assert.doesNotMatch(text, /secret/i)
    }
    const whole = rawRequest('GET /console/frames/workload/parts/chart.js', ['Host: localhost'])
    assert.equal((await sendRaw(service.url, whole)).text, 'draw()')
  })

  it('are told to who is signed in, in the language asked for', async () => {
    const reply = await service.host.get('/api/console')
    const described = { name: 'workload', label: 'Workload', place: 'page', entity: null }
    assert.deepEqual(reply.body, [{ ...described, icon: 'bell', iconPath: icons.bell }])
    assert.match(service.service.openApi(), /listConsoleFrames/)
  })
})

describe('The declaration of pages and panels', () => {
  const permissions = {
    has: (name: string) => name === 'ticket:read',
    list: () => [['ticket:read', {}]] as [string, unknown][],
  }
  const refusalOf = (options: unknown): string => {
    try {
      declaredFrames(options as ApplicationConsole, { permissions, entities: ['ticket'] }) // a file in JavaScript
    } catch (error) {
      return (error as Error).message // only errors are thrown
    }
    return ''
  }
  const panel = { label: 'Notes', place: 'row.side', entity: 'ticket', content }

  it('is refused with a sentence', () => {
    const empty = join(root, 'without')
    for (const [options, expected] of [
      [{ panel: {} }, 'console: panel is no option; did you mean panels?'],
      [
        { pages: { Big: { label: 'A', content } } },
        'console.pages.Big: a name consists of lower-case letters, digits and hyphens.',
      ],
      [{ pages: { a: { content } } }, 'console.pages.a: label is required.'],
      [
        { pages: { a: { label: 'A', content, icon: 'bel' } } },
        'console.pages.a: bel is no icon; did you mean bell?',
      ],
      [
        { pages: { a: { label: 'A', content, permission: 'ticket:raed' } } },
        'console.pages.a: ticket:raed is no permission; did you mean ticket:read?',
      ],
      [
        { pages: { a: { label: 'A', content: folder } } },
        'console.pages.a: content must be what consolePage(folder) returns.',
      ],
      [
        { pages: { a: { label: 'A', content: consolePage(join(root, 'gone')) } } },
        `console.pages.a: there is no folder ${join(root, 'gone')}.`,
      ],
      [
        { pages: { a: { label: 'A', content: consolePage(join(folder, 'index.html')) } } },
        `console.pages.a: ${join(folder, 'index.html')} is not a folder.`,
      ],
      [
        { pages: { a: { label: 'A', content: consolePage(empty) } } },
        `console.pages.a: ${empty} has no file index.html.`,
      ],
      [
        { pages: { a: { label: 'A', content } }, panels: { a: panel } },
        'console: a page and a panel have the name a. Rename one of them.',
      ],
      [
        { panels: { a: { ...panel, place: 'row.sied' } } },
        'console.panels.a: row.sied is no place; did you mean row.side?',
      ],
      [
        { panels: { a: { ...panel, place: undefined } } },
        'console.panels.a: place is required: row.side, row.tab, list.above, home.',
      ],
      [
        { panels: { a: { ...panel, entity: 'tickets' } } },
        'console.panels.a: tickets is no entity; did you mean ticket?',
      ],
      [
        { panels: { a: { ...panel, entity: undefined } } },
        'console.panels.a: a panel of row.side needs an entity.',
      ],
      [{ panels: { a: { ...panel, place: 'home' } } }, 'console.panels.a: a panel of home has no entity.'],
      [
        { panels: { a: null } },
        'console.panels.a must be an object with label, labels, permission, content, place, entity.',
      ],
      [{ panels: { a: panel } }, ''],
    ] as const)
      assert.equal(refusalOf(options), expected)
  })

  it('ends the start of the service', async () => {
    const console: ApplicationConsole = {
      pages: { gone: { label: 'Gone', content: consolePage(join(root, 'gone')) } },
    }
    const config = loadConfig({ PORT: '0', DATA_DIR: join(root, 'data'), MASTER_KEY: newMasterKey() }, root)
    await assert.rejects(
      createService(config, { ...usualOptions, console }),
      /console\.pages\.gone: there is no folder/,
    )
  })

  it('costs nothing where there is none', async () => {
    const service = await sharedService('sqlite')
    const page = await (await fetch(`${service.url}/console/`)).text()
    assert.doesNotMatch(page, /data-frames/)
    assert.equal((await service.host.get('/api/console')).status, 404)
    assert.equal((await fetch(`${service.url}/console/assets/panel.js`)).status, 404)
    await service.stop()
  })
})
