/** Refusals that belong to no field are said in the language of the page, and the sources still say what is translated. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { errorsIn } from '../../assets/console/text/service-error.ts'
import { germanErrors } from '../../src/core/language/de.ts'
import { frenchErrors } from '../../src/core/language/fr.ts'
import { refusalTexts } from '../../src/core/language/refusal-texts.ts'
import { germanRefusals } from '../../src/core/language/refusals-de.ts'
import { frenchRefusals } from '../../src/core/language/refusals-fr.ts'

const sources = resolve(import.meta.dirname, '../../src')
const german = errorsIn(germanErrors, germanRefusals)
const french = errorsIn(frenchErrors, frenchRefusals)

describe('A refusal that belongs to no field', () => {
  it('is said in German and French, by its kind or by its own sentence', () => {
    assert.equal(german('Not found.'), 'Nicht gefunden.')
    assert.equal(german('There is no such sales order.'), 'Das gibt es nicht, oder nicht mehr.')
    assert.equal(
      german('This requires the permission order:write.'),
      'Dafür ist die Berechtigung order:write nötig.',
    )
    assert.equal(
      german('The order is PAID and cannot become CANCELLED.'),
      'Die Bestellung ist PAID und kann nicht CANCELLED werden.',
    )
    assert.equal(
      french('The tenant does not allow this (allowImpersonation).'),
      'Le locataire ne le permet pas (allowImpersonation).',
    )
  })

  it('stays as it is if an application has said it', () => {
    assert.equal(german('The desk is glued to the floor.'), 'The desk is glued to the floor.')
    assert.equal(german('There is no such thing. Really.!'), 'There is no such thing. Really.!')
  })

  it('is translated with everything that stands in it', () => {
    const holes = (text: string) => text.split('{}').length
    for (const said of refusalTexts)
      for (const text of [germanRefusals[said], frenchRefusals[said]])
        assert.equal(holes(text), holes(said), text)
  })

  it('is said so by the service', () => {
    const files = globSync('**/*.ts', { cwd: sources }).filter((name) => !name.startsWith('core/language'))
    const code = files.map((name) => readFileSync(join(sources, name), 'utf8')).join('')
    const said = code.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}')
    const gone = refusalTexts.filter((text) => !said.includes(text.replaceAll('{label}', '{}')))
    assert.deepEqual(gone, [])
  })
})
