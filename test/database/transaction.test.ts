import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import {
  ConstraintViolation,
  type Database,
  DatabaseUnavailable,
  type Transaction,
} from '../../src/database/executor.ts'
import { inspect } from '../support/database/inspect.ts'
import { newDatabase, type OpenedDatabase } from '../support/database/opened.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { runStatement } from './run-statement.ts'

onEachDatabase('A transaction', (name) => {
  let opened: OpenedDatabase
  let database: Database
  before(async () => {
    opened = await newDatabase(name)
    database = opened.open()
    await database.transaction((inside) => runStatement(inside, 'CREATE TABLE note (id integer PRIMARY KEY)'))
  })
  beforeEach(() => database.transaction((inside) => runStatement(inside, 'DELETE FROM note')))
  after(() => opened.drop())

  it('gives back what its work gives back, and is there for everybody', async () => {
    const value = await database.transaction(async (inside) => {
      await insert(inside, 1)
      return 'done'
    })
    assert.equal(value, 'done')
    assert.deepEqual(await notes(), [1])
    const { rows } = await database.executor.run('SELECT id FROM note', [], false)
    assert.deepEqual(
      rows.map(({ id }) => id),
      [1],
    )
  })

  it('is nothing at all when its work fails, and says why', async () => {
    const failure = new Error('changed my mind')
    const work = async (inside: Transaction) => {
      await insert(inside, 1)
      throw failure
    }
    await assert.rejects(database.transaction(work), (error) => error === failure)
    assert.deepEqual(await notes(), [])
  })

  it('sees its own rows, and nobody else does before its end', async () => {
    await database.transaction(async (inside) => {
      await insert(inside, 1)
      assert.equal((await inside.run('SELECT id FROM note', [], false)).rows.length, 1)
      assert.equal((await database.executor.run('SELECT id FROM note', [], false)).rows.length, 0)
    })
  })

  it('is seen by reads as soon as it returns, whatever they saw in the same turn of the event loop', async () => {
    for (let id = 1; id <= 20; id++) {
      await database.transaction(async (inside) => {
        await insert(inside, id)
        assert.equal((await database.executor.run('SELECT id FROM note', [], false)).rows.length, id - 1)
      })
      assert.equal((await database.executor.run('SELECT id FROM note', [], false)).rows.length, id)
    }
  })

  it('names the rule that a row breaks', async () => {
    const twice = database.transaction(async (inside) => {
      await insert(inside, 1)
      await insert(inside, 1)
    })
    await assert.rejects(twice, (error) => error instanceof ConstraintViolation && error.rule === 'unique')
    assert.deepEqual(await notes(), [])
  })

  it('does no harm to others at the same time when it fails', async () => {
    const works = Array.from({ length: 40 }, (_, id) =>
      database.transaction(async (inside) => {
        await insert(inside, id)
        if (id % 4 === 1) await insert(inside, id)
        if (id % 4 === 2) throw new Error('changed my mind')
      }),
    )
    const outcomes = await Promise.allSettled(works)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      outcomes.map((_, id) => (id % 4 === 1 || id % 4 === 2 ? 'rejected' : 'fulfilled')),
    )
    const expected = outcomes.flatMap((_, id) => (id % 4 === 1 || id % 4 === 2 ? [] : [id]))
    assert.deepEqual(await notes(), expected)
  })

  it('calls what waits for its commit when others can see it, and before it returns', async () => {
    const seen: string[] = []
    let others: Promise<number[]> = Promise.resolve([])
    await database.transaction(async (inside) => {
      await insert(inside, 7)
      inside.afterCommit(() => {
        others = notes()
        seen.push('committed')
      })
      seen.push('worked')
    })
    seen.push('returned')
    assert.deepEqual(seen, ['worked', 'committed', 'returned'])
    assert.deepEqual(await others, [7])
  })

  it('calls nothing and announces nothing when it fails', async () => {
    const heard: string[] = []
    database.onChange((change) => heard.push(change))
    const work = async (inside: Transaction) => {
      inside.afterCommit(() => heard.push('committed'))
      await inside.announce('failed')
      throw new Error('changed my mind')
    }
    await assert.rejects(database.transaction(work))
    await database.transaction((inside) => inside.announce('done'))
    await eventually('the announcement', soonMs, async () => heard.includes('done'))
    assert.ok(!heard.includes('committed') && !heard.includes('failed'), heard.join())
  })

  it('announces to its own process before it returns, and to another within a second', async () => {
    const [here, there]: [string[], string[]] = [[], []]
    database.onChange((change) => here.push(change))
    opened.open().onChange((change) => there.push(change))
    await eventually('listening', soonMs, async () => name === 'sqlite' || there.includes('resync'))
    there.length = 0
    await database.transaction(async (inside) => {
      await insert(inside, 1)
      await inside.announce('tenant:acme')
      assert.ok(!here.includes('tenant:acme'))
    })
    assert.ok(here.includes('tenant:acme'))
    const heard = name === 'sqlite' ? 'resync' : 'tenant:acme'
    await eventually('the announcement', soonMs, async () => there.includes(heard))
  })

  it('does no harm to others when what waits for its commit fails', async () => {
    const failing = database.transaction(async (inside) => {
      await insert(inside, 1)
      inside.afterCommit(() => {
        throw new Error('a listener failed')
      })
    })
    const other = database.transaction((inside) => insert(inside, 2))
    await assert.rejects(failing, /a listener failed/)
    await other
    await database.transaction((inside) => insert(inside, 3))
    assert.deepEqual(await notes(), [1, 2, 3])
  })

  if (name === 'postgres') {
    it('that waits for one which waits for it is given up, and is worth another try', async () => {
      await database.transaction(async (inside) => {
        await insert(inside, 1)
        await insert(inside, 2)
      })
      const { promise: bothBegun, resolve: begin } = Promise.withResolvers<void>()
      let begun = 0
      const crossing = (ids: number[]) =>
        database.transaction(async (inside) => {
          for (const id of ids) {
            await runStatement(inside, `UPDATE note SET id = id WHERE id = ${id}`)
            if (++begun === 2) begin()
            await bothBegun
          }
        })
      const outcomes = await Promise.allSettled([crossing([1, 2]), crossing([2, 1])])
      const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      assert.equal(failures.length, 1)
      assert.ok(failures[0] instanceof DatabaseUnavailable, String(failures[0]))
    })
  }

  async function notes(): Promise<number[]> {
    return (await inspect(opened.url, 'SELECT id FROM note ORDER BY id')).map(({ id }) => Number(id))
  }
})

async function insert(inside: Transaction, id: number): Promise<void> {
  await runStatement(inside, `INSERT INTO note (id) VALUES (${id})`)
}
