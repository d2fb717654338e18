/** The service draws the icons as the library does. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IconNode } from 'lucide'
import * as lucide from 'lucide'
import { iconNames, icons } from '../../../src/core/feature/icons.ts'
import { pathOf } from './icon-path.ts'

const nodes = new Map(Object.entries<unknown>(lucide))

describe('Icons of definitions', () => {
  it('are those of Lucide, each as one path', () => {
    const drawn = iconNames.map((name) => [name, pathOf(nodeOf(name))])
    assert.deepEqual(icons, Object.fromEntries(drawn))
  })

  it('begin anywhere, whatever is drawn before them', () => {
    assert.equal(pathOf([['path', { d: 'm16 9-5.5 5.5L8 12' }]]), 'M16 9l-5.5 5.5L8 12')
    assert.equal(pathOf([['path', { d: 'm3 21V8' }]]), 'M3 21V8')
  })
})

function nodeOf(name: string): IconNode {
  const named = name === 'home' ? 'house' : name
  const node = nodes.get(named.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()))
  assert.ok(Array.isArray(node), `Lucide has no ${named}`)
  return node
}
