/** What the user has starred, and what the palette puts first. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { favouritesIn, moved } from '../../assets/console/shell/favourite.ts'

const favourites = ['/a', '/b', '/c'].map((path) => ({ path, label: path }))
const paths = (all: readonly { path: string }[]) => all.map(({ path }) => path).join('')

describe('Favourites', () => {
  it('move by one place, and not beyond the ends', () => {
    assert.equal(paths(moved(favourites, '/b', -1)), '/b/a/c')
    assert.equal(paths(moved(favourites, '/b', 1)), '/a/c/b')
    assert.equal(paths(moved(favourites, '/a', -1)), '/a/b/c')
    assert.equal(paths(moved(favourites, '/c', 1)), '/a/b/c')
    assert.equal(paths(moved(favourites, '/d', 1)), '/a/b/c')
  })

  it('are none where something else is stored', () => {
    for (const value of [
      undefined,
      null,
      'x',
      { path: '/a' },
      [null, 1, { path: 'a', label: 'a' }, { path: '/a' }],
    ])
      assert.deepEqual(favouritesIn(value), [])
    assert.deepEqual(favouritesIn([...favourites, 7]), favourites)
  })
})
