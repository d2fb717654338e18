import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BatchSize } from '../../src/database/batches.ts'

describe('The size of a batch', () => {
  /** A batch of rows that take so long each, after some others of the kind. */
  const settled = (msOfRow: number): number => {
    const size = new BatchSize('sqlite')
    for (let batch = 0; batch < 20; batch++) size.adapt(size.rows * msOfRow)
    return size.rows
  }

  it('is what SQLite does in about three milliseconds', () => {
    assert.equal(settled(0.01), 300)
    assert.equal(settled(0.1), 30)
    assert.equal(settled(0.5), 6)
  })

  it('is one row at first, which may be as large as rows can be', () => {
    assert.equal(new BatchSize('sqlite').rows, 1)
  })

  it('has bounds, however fast or slow the rows are', () => {
    assert.equal(settled(0), 500)
    assert.equal(settled(1000), 1)
  })

  it('shrinks at once, and grows to twice as much at a time', () => {
    const size = new BatchSize('sqlite')
    size.adapt(0.01)
    size.adapt(0.01)
    size.adapt(0.01)
    assert.equal(size.rows, 8)
    size.adapt(60)
    assert.equal(size.rows, 1)
    size.adapt(0.1)
    assert.equal(size.rows, 2)
  })

  it('is the same at all times on PostgreSQL, where others do not wait', () => {
    const size = new BatchSize('postgres')
    size.adapt(1000)
    assert.equal(size.rows, 500)
  })
})
