/** A bounded map: which entries it removes and reports. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LruMap } from '../../src/database/lru-map.ts'

describe('A bounded map', () => {
  it('removes the entry that was used least recently', () => {
    const map = new LruMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.get('a')
    map.set('c', 3)
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3])
  })

  it('never removes what was used later than three quarters of the entries, however it was used', () => {
    const uses = fc.array(fc.nat({ max: 30 }), { maxLength: 200 })
    fc.assert(
      fc.property(uses, (keys) => {
        const map = new LruMap<number, number>(16)
        let used: number[] = []
        for (const key of keys) {
          if (map.get(key) === undefined) map.set(key, key)
          used = [key, ...used.filter((other) => other !== key)]
          for (const recent of used.slice(0, 12)) assert.equal(map.peek(recent), recent)
          assert.ok(map.size <= 16)
        }
      }),
    )
  })

  it('does not count a peek as a use', () => {
    const map = new LruMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    assert.equal(map.peek('a'), 1)
    map.set('c', 3)
    assert.deepEqual([map.peek('a'), map.peek('b')], [undefined, 2])
  })

  it('bounds the weight of its entries, and reports those that it removes', () => {
    const evicted: string[] = []
    const weigh = (key: string) => key.length
    const map = new LruMap<string, number>(5, { weigh, onEvict: (key) => evicted.push(key) })
    map.set('aa', 1)
    map.set('bb', 2)
    map.set('cc', 3)
    assert.deepEqual([map.size, evicted], [2, ['aa']])
    map.delete('bb')
    map.set('ddd', 4)
    assert.deepEqual([map.size, evicted], [2, ['aa']])
    map.clear()
    map.set('eeeee', 5)
    assert.deepEqual([map.size, evicted], [1, ['aa']])
  })
})
