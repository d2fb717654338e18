/** Refusals of a whole request are said in the language of the page, by their codes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { german } from '../../assets/console/text/de.ts'
import { english } from '../../assets/console/text/en.ts'
import { french } from '../../assets/console/text/fr.ts'
import { problemOf } from '../../src/api/http/reply/problem.ts'
import { refusal, ServiceError } from '../../src/core/errors.ts'
import { germanRefusals } from '../../src/core/language/refusals-de.ts'
import { frenchRefusals } from '../../src/core/language/refusals-fr.ts'
import { programRefusals } from '../../src/core/program-refusals.ts'
import { refusals } from '../../src/core/refusals.ts'

/** What these stand for is said in English: the words of an entity, a list with "or", a part of a sentence. */
const englishWords = new Set(['label', 'labels', 'event', 'allowed', 'accepted', 'place', 'fault'])

const inGerman = (error: ServiceError) => german.state.error(problemOf(error))
const inFrench = (error: ServiceError) => french.state.error(problemOf(error))

describe('A refusal of a whole request', () => {
  it('is said in German and French by its code, with what its sentence names', () => {
    assert.equal(inGerman(refusal('noSuch', { label: 'sales order' })), 'Das gibt es nicht, oder nicht mehr.')
    assert.equal(
      inGerman(refusal('permissionLacking', { permission: 'order:write' })),
      'Dafür ist die Berechtigung order:write nötig.',
    )
    assert.equal(
      inGerman(refusal('orderState', { status: 'PAID', next: 'CANCELLED' })),
      'Die Bestellung ist PAID und kann nicht CANCELLED werden.',
    )
    assert.equal(
      inGerman(refusal('fileTooLarge', { limit: 20_000_000 })),
      'Die Datei ist größer als 20.000.000 Bytes.',
    )
    assert.equal(
      inFrench(refusal('impersonationNotAllowed')),
      'Le locataire ne le permet pas (allowImpersonation).',
    )
  })

  it('is said by its kind where it says no more', () => {
    assert.equal(inGerman(new ServiceError('notFound')), 'Nicht gefunden.')
    assert.equal(inFrench(new ServiceError('notFound')), 'Introuvable.')
  })

  it('stays as it is if an application has said it, or if it is for programs', () => {
    const glued = new ServiceError('invalid', 'The desk is glued to the floor.')
    assert.equal(inGerman(glued), glued.message)
    const broken = refusal('bodyNotJson')
    assert.equal(inGerman(broken), 'The body is not valid JSON.')
    assert.equal(german.state.error({ detail: 'gone', code: 'constructor' }), 'gone')
  })

  it('is in English as the service says it', () => {
    assert.equal(english.state.error(problemOf(refusal('searchEmpty'))), 'The search term is empty.')
  })

  it('is translated with everything that stands in it, but for English words', () => {
    for (const texts of [germanRefusals, frenchRefusals]) {
      assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(refusals).toSorted())
      for (const [code, { text }] of Object.entries(refusals)) {
        const said = namesIn(texts[code as keyof typeof texts]) // the same keys
        const lost = namesIn(text).filter((name) => !said.includes(name) && !englishWords.has(name))
        assert.deepEqual(lost, [], code)
        assert.deepEqual(
          said.filter((name) => !namesIn(text).includes(name)),
          [],
          code,
        )
      }
    }
  })

  it('has a code of its own', () => {
    const codes = [...Object.keys(refusals), ...Object.keys(programRefusals)]
    assert.equal(new Set(codes).size, codes.length)
    for (const code of codes) assert.match(code, /^[a-z]+([A-Z][a-z0-9]*)*$/)
  })
})

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}
