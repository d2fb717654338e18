/** Names of a page are read with one request, without a browser. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forgetBatches, readTogether } from '../../assets/console/read-together.ts'

class Refusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`${status}`)
    this.status = status
  }
}

/** Refuses a list with an id that begins with `bad`, and finds no id that begins with `gone`. */
function reader(tenant = 'one') {
  const asked: string[] = []
  const read = async (ids: string) => {
    asked.push(ids)
    const list = ids.split(',')
    if (list.some((id) => id.startsWith('bad'))) throw new Refusal(400)
    return list.filter((id) => !id.startsWith('gone')).map((id) => ({ id, tenant }))
  }
  return { asked, read }
}

const readAll = (kind: string, ids: readonly string[], { read }: ReturnType<typeof reader>) =>
  Promise.all(ids.map((id) => readTogether(kind, id, read).then((row) => row?.tenant ?? null)))

describe('Rows that a page names one by one', () => {
  it('are read with one request', async () => {
    const one = reader()
    assert.deepEqual(await readAll('row', ['a', 'gone', 'b', 'a'], one), ['one', null, 'one', 'one'])
    assert.deepEqual(one.asked, ['a,gone,b'])
  })

  it('keep their names beside an id that the service refuses', async () => {
    const one = reader()
    const ids = ['a', 'b', 'bad', 'c', 'd', 'e', 'bad2', 'f']
    const names = ['one', 'one', null, 'one', 'one', 'one', null, 'one']
    assert.deepEqual(await readAll('row', ids, one), names)
    assert.ok(one.asked.length < 2 * ids.length)
  })

  it('are not asked for again one by one when the service fails', async () => {
    const asked: string[] = []
    const read = async (ids: string) => {
      asked.push(ids)
      throw new Refusal(503)
    }
    const results = await Promise.allSettled(['a', 'b'].map((id) => readTogether('row', id, read)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.deepEqual(asked, ['a,b'])
  })

  it('are those of whoever is signed in by then', async () => {
    const [one, other] = [reader('one'), reader('other')]
    const before = readAll('row', ['a'], one)
    forgetBatches()
    const after = readAll('row', ['a', 'b'], other)
    assert.deepEqual(await Promise.all([before, after]), [['one'], ['other', 'other']])
    assert.deepEqual(other.asked, ['a,b'])
  })
})
