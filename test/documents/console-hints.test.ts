/** The page on hints shows the example as it is, and names every word that a hint can have. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { densities, layouts, tints, tones, widgetKinds } from '../../src/core/feature/console-hints.ts'
import { iconNames } from '../../src/core/feature/icons.ts'
import { hintNames } from '../../src/entity/console/hints.ts'
import { listHintNames } from '../../src/entity/console/list-hints.ts'
import { codeSpans, fencedBlocks, readDocument, tableUnder } from './markdown.ts'

const page = readDocument('docs/console-hints.md')

describe('The page on hints for the console', () => {
  it('shows the hints of the ticket as they are', () => {
    const [hints] = fencedBlocks(page)
    assert.ok(hints)
    assert.ok(readDocument('examples/helpdesk/ticket.ts').includes(hints.text))
  })

  it('names every icon, tint, tone, density, layout and widget', () => {
    const named = codeSpans(page)
    const words = [...iconNames, ...tints, ...tones, ...densities, ...layouts, ...widgetKinds]
    assert.deepEqual(
      words.filter((word) => !named.includes(word)),
      [],
    )
    const icons = codeSpans(page.slice(page.indexOf('## Icons')))
    assert.deepEqual(
      icons.filter((icon) => !iconNames.some((known) => known === icon)),
      [],
    )
  })

  it('names every hint, and no other', () => {
    const named = tableUnder(page, 'Hints').flatMap(([name = '']) => codeSpans(name))
    assert.deepEqual(named.toSorted(), Object.keys(hintNames).toSorted())
    const listed = tableUnder(page, 'Lists').map(([name = '']) => name.replaceAll('`', ''))
    assert.deepEqual(listed.toSorted(), Object.keys(listHintNames).toSorted())
  })
})
