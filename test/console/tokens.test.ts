/** What is written in one token on another can be read, in both themes (WCAG 2.2, 1.4.3 and 1.4.11). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const css = readFileSync(new URL('../../assets/console/style/tokens.css', import.meta.url), 'utf8')
const themes = ['light', 'dark'] as const

/** Text, and the grounds on which it stands. */
const texts: Readonly<Record<string, readonly string[]>> = {
  ink: ['canvas', 'surface', 'sunken', 'selected', 'raised', 'raised-hover', 'raised-selected'],
  'ink-soft': ['canvas', 'surface', 'sunken', 'selected', 'raised', 'raised-hover', 'raised-selected'],
  'accent-text': ['canvas', 'surface', 'selected', 'raised'],
  'accent-ink': ['accent', 'accent-hover'],
  good: ['surface', 'canvas', 'good-soft'],
  warn: ['surface', 'canvas', 'warn-soft'],
  bad: ['surface', 'canvas', 'bad-soft'],
  info: ['surface', 'canvas', 'info-soft'],
  neutral: ['surface', 'canvas', 'neutral-soft'],
}
/** Edges of controls, the focus and the bars of charts. */
const shapes: Readonly<Record<string, readonly string[]>> = {
  'field-line': ['canvas', 'surface', 'raised'],
  focus: ['canvas', 'surface', 'raised'],
  bar: ['surface'],
  'bar-failed': ['surface'],
}

describe('The colours of the console', () => {
  for (const theme of themes)
    it(`can be read and seen, ${theme}`, () => {
      assert.deepEqual([...belowIn(theme, texts, 4.5), ...belowIn(theme, shapes, 3)], [])
    })

  it('are named in tokens alone', () => {
    for (const name of ['base', 'control', 'page', 'table', 'list', 'record', 'shell']) {
      const style = readFileSync(new URL(`../../assets/console/style/${name}.css`, import.meta.url), 'utf8')
      // White and black stand where a brand, a picture or a print decides of the ground.
      const literals =
        style.match(/#[0-9a-f]{3,8}\b/gi)?.filter((each) => !/^#(fff|ffffff|000)$/i.test(each)) ?? []
      assert.deepEqual(literals, [], `${name}.css`)
    }
  })
})

function belowIn(theme: (typeof themes)[number], pairs: typeof texts, least: number): string[] {
  return Object.entries(pairs).flatMap(([front, grounds]) =>
    grounds
      .map((ground) => ({ ground, ratio: contrast(colorOf(front, theme), colorOf(ground, theme)) }))
      .filter(({ ratio }) => ratio < least)
      .map(({ ground, ratio }) => `${front} on ${ground}: ${ratio.toFixed(2)}`),
  )
}

function colorOf(token: string, theme: (typeof themes)[number]): string {
  const [, value = ''] = new RegExp(`--${token}: ([^;]+);`).exec(css) ?? []
  const [, light, dark] = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(value) ?? [null, value, value]
  const color = (theme === 'light' ? light : dark) ?? ''
  assert.match(color, /^#[0-9a-f]{6}$/i, token)
  return color
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** As WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
