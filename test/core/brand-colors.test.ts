/** The colours of a brand: text is readable on them in both themes, whatever colour a tenant has. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brandColorsOf, contrast, grounds } from '../../src/core/brand-colors.ts'
import { runsOf } from '../support/run/extent.ts'

/** @returns the pairs that cannot be read */
function unreadable(color: string): string[] {
  const themes = brandColorsOf(color)
  return (['light', 'dark'] as const).flatMap((theme) => {
    const { solid, onSolid, solidHover, accentText, focus, tint, tintRaised } = themes[theme]
    const { canvas, surface, raised, sunken, ink } = grounds[theme]
    const pairs: [string, string, string][] = [
      ['the text of a button', onSolid, solid],
      ['the text of a button under a pointer', onSolid, solidHover],
      ...[tint, tintRaised].map(
        (ground) => ['text on what is chosen', ink, ground] as [string, string, string],
      ),
      ...[canvas, surface, raised, sunken, tint, tintRaised].flatMap((ground) => [
        ['a link', accentText, ground] as [string, string, string],
        ['the focus', focus, ground] as [string, string, string],
      ]),
    ]
    const failed = pairs.filter(([, one, other]) => contrast(one, other) < 4.5)
    return failed.map(([what, one, other]) => `${color}, ${theme}: ${what}, ${one} on ${other}`)
  })
}

function* colors(step: number): Generator<string> {
  const texts = Array.from({ length: Math.floor(255 / step) + 1 }, (_, index) =>
    (index * step).toString(16).padStart(2, '0'),
  )
  for (const red of texts) for (const green of texts) for (const blue of texts) yield `#${red}${green}${blue}`
}

describe('The colours of a brand', () => {
  it('are readable for every colour', () => {
    let tried = 0
    let moved = 0
    for (const color of colors(runsOf(15, 5))) {
      assert.deepEqual(unreadable(color), [])
      tried++
      if (brandColorsOf(color).light.solid !== color) moved++
    }
    assert.equal(tried, runsOf(5832, 140_608))
    const share = moved / tried
    assert.ok(share > 0.05 && share < 0.15, `${moved} of ${tried} were moved`)
  })

  it('are those of yellow, navy and grey', () => {
    const solids = (color: string) => {
      const { light, dark } = brandColorsOf(color)
      return [light.solid, light.onSolid, light.accentText, light.tint, dark.accentText, dark.tint]
    }
    assert.deepEqual(solids('#ffd400'), ['#ffd400', '#1c2024', '#8f6500', '#fffbe6', '#ffd400', '#4b4215'])
    assert.deepEqual(solids('#0b1f4d'), ['#0b1f4d', '#ffffff', '#0b1f4d', '#e7e9ed', '#6f8ac1', '#151a26'])
    assert.deepEqual(solids('#8a8a8a'), ['#8a8a8a', '#1c2024', '#6d6d6d', '#f3f3f3', '#a2a2a2', '#313233'])
  })

  it('do not depend on the case in which the colour is written', () => {
    assert.equal(brandColorsOf('#FFD400').light.solid, '#ffd400')
  })
})
