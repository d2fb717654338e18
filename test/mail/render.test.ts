/** What mails say: in text and HTML, in a language, under a brand, whatever strangers have typed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Static, Type } from 'typebox'
import { code, link, Mails, mail, rows } from '../../src/core/feature/mail.ts'
import { isMailAddress, parseSender } from '../../src/core/mail-address.ts'
import { oneLine, renderTemplate } from '../../src/mail/render/render.ts'
import { messageOf } from '../../src/mail/transport/message.ts'
import { anyText } from '../support/any-text.ts'
import { runSeed } from '../support/run/extent.ts'

const values = Type.Object({ name: Type.String(), url: Type.String() })
type Values = Static<typeof values>

const body = ({ name, url: to }: Values) => [
  `Dear ${name}`,
  link(`Open, ${name}`, to),
  code(name),
  rows([name, name]),
]
const mails = new Mails([
  {
    'test.greet': mail({
      values,
      languages: {
        en: (given, { name }) => ({ subject: `${name}: ${given.name}`, body: body(given) }),
        fr: (given, { name }) => ({ subject: `${name} : bonjour ${given.name}`, body: body(given) }),
      },
    }),
    'test.bare': mail({ values: Type.Object({}), languages: { de: () => ({ subject: 'Hallo', body: [] }) } }),
  },
])
const brand = { name: 'Acme', logoUrl: null, color: null, accentColor: null }
const url = 'https://app.example/a?b=c&d=e'
const render = (given: Partial<Values> = {}, look = {}, locale = 'en') =>
  renderTemplate(
    mails,
    'test.greet',
    { name: 'Ada', url, ...given },
    { brand: { ...brand, ...look }, locale },
  )

/** The text of an HTML document, as a mail program shows it. */
function shownText(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  const inside = html.slice(html.indexOf('<body'))
  return inside
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
}

describe('A rendered mail', () => {
  it('says the same in text and in HTML', () => {
    const { subject, text, html } = render()
    assert.equal(subject, 'Acme: Ada')
    const said = text
      .split('\n')
      .filter((line) => line !== '' && line !== '-- ' && line !== 'Open, Ada:' && line !== 'Ada: Ada')
    for (const line of said) assert.ok(shownText(html).includes(line), line)
    assert.match(html, /href="https:\/\/app\.example\/a\?b=c&amp;d=e"/)
  })

  it('has the brand of the tenant', () => {
    const { html } = render(
      {},
      { logoUrl: 'https://acme.example/logo.svg', color: '#112233', accentColor: '#ffee00' },
    )
    assert.match(html, /<img src="https:\/\/acme\.example\/logo\.svg" alt="Acme"/)
    assert.match(html, /border-top:4px solid #112233/)
    assert.match(html, /background:#ffee00;color:#1c2024/)
    assert.match(render({}, { accentColor: '#112233' }).html, /background:#112233;color:#ffffff/)
  })

  it('is in the language of the locale, or in the first that the template has', () => {
    assert.equal(render({}, {}, 'fr-CH').subject, 'Acme : bonjour Ada')
    assert.match(render({}, {}, 'fr-CH').text, /Ce message a été envoyé par Acme/)
    assert.match(render({}, {}, 'fr-CH').html, /<html lang="fr">/)
    assert.equal(render({}, {}, 'ja').subject, 'Acme: Ada')
    const german = renderTemplate(mails, 'test.bare', {}, { brand, locale: 'ja' })
    assert.equal(german.subject, 'Hallo')
    assert.match(german.text, /Diese Nachricht wurde von Acme gesendet/)
  })

  it('has no element that a stranger has typed', () => {
    const { html: plain } = render()
    const tags = (html: string) => html.match(/<[a-z!/][^>]*>/gi)?.map((tag) => tag.split(/[\s>]/)[0])
    const chunks = fc.constantFrom(
      '<script>',
      '"',
      "'",
      '>',
      '</td>',
      '&lt;',
      ' onload=',
      '<!--',
      '\n',
      '\0',
      '\u2028',
      'a',
      '\ud800',
    )
    const typed = fc.oneof(
      anyText(10),
      fc.array(chunks).map((each) => each.join('')),
    )
    fc.assert(
      fc.property(typed, typed, (name, brandName) => {
        const { html, subject } = render({ name }, { name: brandName })
        const withoutBreaks = (list: string[] | undefined) => list?.filter((tag) => tag !== '<br')
        assert.deepEqual(
          withoutBreaks(tags(html)?.map((tag) => tag ?? '')),
          withoutBreaks(tags(plain)?.map((tag) => tag ?? '')),
        )
        assert.doesNotMatch(subject, /[\r\n\0]/)
        assert.ok(html.isWellFormed() && subject.isWellFormed())
      }),
      { numRuns: 50, seed: runSeed },
    )
  })

  it('refuses a link that is not of the web', () => {
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', '/relative', ''])
      assert.throws(() => render({ url: bad }), /must begin with https/)
  })
})

describe('The message of a mail', () => {
  it('has no header that a stranger has typed', async () => {
    const { createTransport } = await import('nodemailer')
    const writer = createTransport({ streamTransport: true, buffer: true })
    const typed = 'Ada\r\nBcc: victim@acme.example\r\n\r\nbody\u2028X-A: b'
    const rendered = render({ name: typed }, { name: typed })
    const message = messageOf({
      ...rendered,
      id: 'id',
      tenantId: 'acme',
      template: 'test.greet',
      to: 'ada@acme.example',
      from: { name: oneLine(typed), address: 'post@acme.example' },
      createdAt: new Date(),
    })
    const sent = await writer.sendMail(message)
    const head = String(sent.message).split(/\r?\n\r?\n/)[0] ?? ''
    const names = head
      .split(/\r?\n/)
      .filter((line) => !/^\s/.test(line))
      .map((line) => line.split(':')[0])
    assert.deepEqual(
      names.sort(),
      [
        ...['Auto-Submitted', 'Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Subject', 'To'],
      ].sort(),
    )
    assert.deepEqual(sent.envelope, { from: 'post@acme.example', to: ['ada@acme.example'] })
  })

  it('goes to one plain address', () => {
    for (const good of ['ada@acme.example', "o'neil+a@sub.acme.example", 'ü@bücher.example', 'a@localhost'])
      assert.ok(isMailAddress(good), good)
    const bad = ['', 'ada', 'a@b, c@d', 'a@b\r\nRCPT TO:<x@y>', '<a@b>', '"a b"@c', 'a@[127.0.0.1]', 'a@b@c']
    for (const text of [...bad, 'a b@c', 'a@b ', 'a@-b', `${'a'.repeat(256)}@b`, 'a\0@b'])
      assert.ok(!isMailAddress(text), JSON.stringify(text))
    assert.deepEqual(parseSender('"Acme" <post@acme.example>'), {
      name: 'Acme',
      address: 'post@acme.example',
    })
    assert.deepEqual(parseSender('post@acme.example'), { name: null, address: 'post@acme.example' })
    for (const text of ['Acme', 'A <a@b> <c@d>', 'A\r\n <a@b>', ''])
      assert.equal(parseSender(text), null, text)
  })
})
