/** What the start refuses of `labels` in definitions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { entity, many, money, oneOf, text } from '../../src/index.ts'

describe('A faulty label is refused', () => {
  const fields = { name: text(), state: oneOf('open', 'closed'), lines: many({ price: money() }) }
  const actions = { close: { to: { state: 'closed' } } }
  const console = {
    sections: [{ title: 'Main', fields: ['name'] }],
    badges: { late: { if: { state: 'open' }, tone: 'bad' } },
  }
  const define = (de: object) => () =>
    entity('ticket', { fields, actions, console, labels: { de } } as unknown as Parameters<typeof entity>[1])
  const faults: [string, object, RegExp][] = [
    [
      'field',
      { fields: { nmae: 'Name' } },
      /ticket\.labels\.de\.fields: nmae is no field; did you mean name\?/,
    ],
    [
      'field of a list',
      { fields: { 'lines.prce': 'Preis' } },
      /prce is no field of lines; did you mean price\?/,
    ],
    [
      'field of a list, but goes on',
      { fields: { 'lines.price.net': 'Preis' } },
      /price\.net is no field of lines/,
    ],
    [
      'word',
      { words: { state: { opn: 'offen' } } },
      /labels\.de\.words\.state: opn is no word of it; did you mean open\?/,
    ],
    ['enum', { words: { name: { x: 'y' } } }, /name is text, and has to be enum/],
    ['action', { actions: { clsoe: 'Schließen' } }, /clsoe is none of its actions; did you mean close\?/],
    ['section', { sections: { Mian: 'Haupt' } }, /Mian is none of its sections; did you mean Main\?/],
    ['badge', { badges: { lat: 'spät' } }, /lat is none of its badges; did you mean late\?/],
    ['label', { field: {} }, /labels\.de: field is no label; did you mean fields\?/],
    ['noun', { one: 'Ticket' }, /one and many belong together/],
  ]
  for (const [what, labels, reason] of faults)
    it(`that names no ${what}`, () => {
      assert.throws(define(labels), reason)
    })

  it('in what is no language', () => {
    const named = { labels: { 'no tag': {} }, fields }
    assert.throws(() => entity('ticket', named as never), /no tag is no language tag/)
  })
})
