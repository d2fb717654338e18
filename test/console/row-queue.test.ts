/** Changes of one row go one after the other, without a browser. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowQueue } from '../../assets/console/entity/row-queue.ts'

describe('The changes of a row', () => {
  it('begin with what the change before has left, and the last one knows that it is the last', async () => {
    const queued = rowQueue<string>()
    const held = Promise.withResolvers<void>()
    const begun: string[] = []
    const change = (letter: string) =>
      queued('row', 'seen', async (base, isLast) => {
        begun.push(`${letter} from ${base}`)
        await held.promise
        return `${base}${letter}${isLast() ? '.' : ''}`
      })
    const results = [change('a'), change('b'), change('c')]
    await Promise.resolve().then(() => Promise.resolve())
    assert.deepEqual(begun, ['a from seen'])
    held.resolve()
    assert.deepEqual(await Promise.all(results), ['seena', 'seenab', 'seenabc.'])
    assert.deepEqual(begun, ['a from seen', 'b from seena', 'c from seenab'])
  })

  it('do not wait for those of other rows, nor begin with what was long ago', async () => {
    const queued = rowQueue<number>()
    const { promise: never } = Promise.withResolvers<number>()
    void queued('other', 0, () => never)
    assert.equal(await queued('row', 1, async (base) => base + 1), 2)
    assert.equal(await queued('row', 7, async (base) => base + 1), 8)
  })
})
