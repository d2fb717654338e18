/** What products have is tried with entities that are defined at random. */
import { after, before, describe } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { triesAll } from '../../support/run/extent.ts'
import { changeSuite } from './changes.ts'
import { costSuite } from './cost.ts'
import { foreignSuite } from './foreign.ts'
import { graphqlSuite } from './graphql.ts'
import { listCostSuite } from './list-cost.ts'
import { listSuite } from './lists.ts'
import { createWorld, type World } from './world.ts'

export interface RandomEntities {
  definitions: number
  /** Of each entity. */
  rows: number
  /** To each list, over REST and in GraphQL each. */
  requests: number
  seed: number
}

/** Declares the tests. */
export function tryRandomEntities({ definitions, rows, requests, seed }: RandomEntities): void {
  onEachDatabase(`Entities that are defined at random (seed ${seed})`, (database) => {
    let made: World | undefined
    before(async () => {
      made = await createWorld(database, { definitions, rows, seed })
    })
    after(() => made?.service.stop())

    const world = () => made as World // before its tests run
    describe('their lists', () => listSuite(world, requests))
    describe('their rows', () => graphqlSuite(world, requests))
    describe('the cost of their rows', () => costSuite(world))
    // A list costs the same on both, and this takes a service of its own.
    if (triesAll || database === 'sqlite')
      describe('the cost of their lists', () => listCostSuite(database, seed))
    describe('changes of their rows', () => changeSuite(world))
    describe('rows of another tenant', () => foreignSuite(world))
  })
}
