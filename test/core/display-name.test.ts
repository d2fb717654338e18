/** Names that mails of the operator show to strangers. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDisplayName, plainName } from '../../src/core/display-name.ts'

const accepted = [
  'Acme Ltd.',
  'Müller & Söhne GmbH',
  "O'Neil",
  'L’Oréal, Paris',
  'A.B. Smith (U.S.A.)',
  'St. Gallen',
  '24/7 Fitness: Zürich',
  'Ärzte №1',
  'Яндекс',
  'Газпром Export',
  'Ελληνικά',
  '株式会社トヨタ ABC',
  '삼성전자',
  'שלום עולם',
  'شركة',
  'می‌خواهم',
  'हिन्दी',
  'Café 🥐',
  'version 2.0',
]

const refused = [
  ['Your account is locked http://evil.example', 'Your account is locked http evil example'],
  ['evil.example', 'evil example'],
  ['see evil.com/login', 'see evil com login'],
  ['WWW.EVIL', 'WWW EVIL'],
  ['пример.рф', 'пример рф'],
  ['a.xn--p1ai', 'a xn p1ai'],
  ['evil。example', 'evil example'],
  ['evil．example', 'evil example'],
  ['mailto:x', 'mailto x'],
  ['10.0.0.1', '10 0 0 1'],
  ['post@evil', 'post evil'],
  ['post＠evil', 'post evil'],
  ['ｅvil', 'evil'],
  ['𝐀𝐜𝐦𝐞', 'Acme'],
  ['Acme\r\nBcc: x', 'Acme Bcc x'],
  ['Acme\u202eemcA', 'Acme emcA'],
  ['Ac\u200bme', 'Ac me'],
  ['Ac\u00adme', 'Ac me'],
  ['Acme\u3000Ltd', 'Acme Ltd'],
  ['\u3164', ''],
  ['Аcme', 'Аcme'], // with a Cyrillic letter
  ['Αpple', 'Αpple'], // with a Greek letter
  ['Z\u0301\u0302\u0303\u0304\u0305', 'Ź\u0302\u0303\u0304\u0305'],
] as const

describe('A display name', () => {
  for (const name of accepted)
    it(`may be ${name}`, () => {
      assert.ok(isDisplayName(name))
      assert.equal(plainName(name), name)
    })

  for (const [name, plain] of refused)
    it(`may not be ${JSON.stringify(name)}`, () => {
      assert.equal(isDisplayName(name), false)
      assert.equal(plainName(name), plain)
    })
})
